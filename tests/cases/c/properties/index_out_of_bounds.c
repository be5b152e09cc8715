//! property: array-bounds
//! verdict: false(array-bounds)
//! decided-by: auto
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[8] = {0}, i = __VERIFIER_nondet_int();
    if (i < 0)
        i = 0;
    return a[i];
}
