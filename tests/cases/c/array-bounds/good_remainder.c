//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int a[5] = {0};
    unsigned i = __VERIFIER_nondet_uint();
    return a[i % 5];
}
