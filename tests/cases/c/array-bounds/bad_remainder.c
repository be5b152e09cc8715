//! property: array-bounds
//! verdict: false(array-bounds)
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[5] = {0};
    int i = __VERIFIER_nondet_int();
    return a[i % 5];
}
