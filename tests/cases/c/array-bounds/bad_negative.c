//! property: array-bounds
//! verdict: false(array-bounds)
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[3] = {0};
    int i = __VERIFIER_nondet_int();
    if (i < 3)
        return a[i];
    return 0;
}
