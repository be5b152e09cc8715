//! verdict: false(unreach-call)
//! decided-by: auto
// The violation comes before the call that is not supported.
extern void *dlopen(const char *, int);
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n * 7 == 12345677)
        reach_error();
    return dlopen("a.so", 1) == 0;
}
