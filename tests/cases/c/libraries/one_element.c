//! verdict: true
//! property: valid-memsafety
//! decided-by: auto
//! arguments: --entry f
// A pointer that is not null points to one element at least.
struct pair { int a, b; };
int f(struct pair *p) {
    return p ? p->a + p->b : 0;
}
