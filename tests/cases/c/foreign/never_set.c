//! verdict: true
//! decided-by: predicate
// What a pointer that was never set points to keeps what is written there, whatever is written through pointers from elsewhere.
extern void __VERIFIER_error(void);
extern void *__VERIFIER_nondet_pointer(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int state;
    struct node *next;
};

static void step(struct node *n) {
    struct node *other = n->next;
    if (other)
        other->state = 7;
    n->state = n->state + 1;
}

int main(void) {
    struct node *n;
    struct node *far = __VERIFIER_nondet_pointer();
    n->state = 1;
    far->state = 3;
    while (__VERIFIER_nondet_int() && n->state < 10)
        step(n);
    if (n->state < 1 || n->state > 10)
        __VERIFIER_error();
    return 0;
}
