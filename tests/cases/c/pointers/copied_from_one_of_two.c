//! verdict: true
//! decided-by: predicate
// A copy of which it is not known where it comes from changes what it is copied to, and nothing beside it.
extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

struct many {
    int a[40];
};

struct record {
    int before;
    struct many many;
    int behind;
};

int main(void) {
    struct many one = {{1, 2}}, two = {{3, 4}};
    struct record r;
    struct record *at = &r;
    struct many *from = __VERIFIER_nondet_int() ? &one : &two;
    at->before = 5;
    at->behind = 6;
    at->many = *from;
    if (at->before != 5 || at->behind != 6)
        __VERIFIER_error();
    return 0;
}
