//! verdict: unknown(could not be executed)
// A stub gives a small number for an address: that is not null, but nothing can be there.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair {
    int first, second;
};

static void *allocate(void) { return __VERIFIER_nondet_int() ? (void *)1 : (void *)0; }

int main(void) {
    struct pair *p = allocate();
    if (p) {
        p->second = 1;
        reach_error();
    }
    return 0;
}
