//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
// The declaration is never passed, and the array is there all the same.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int())
        goto behind;
    return 0;
    int a[2] = {1, 2};
behind:
    return a[0];
}
