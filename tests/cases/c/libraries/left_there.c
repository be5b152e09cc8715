//! verdict: unknown(memory of which nothing is known)
//! property: valid-memsafety
//! decided-by: auto
//! arguments: --entry f
// Of what pointers in arguments point to, nothing is known.
struct list { int value; struct list *next; };
int f(struct list *l) {
    return l && l->next ? l->next->value : 0;
}
