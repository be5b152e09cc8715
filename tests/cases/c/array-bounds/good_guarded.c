//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[8] = {0};
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 8)
        a[i] = 1;
    return 0;
}
