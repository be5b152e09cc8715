//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char a[16] = {0};
    unsigned i = __VERIFIER_nondet_uint();
    return a[i & 15];
}
