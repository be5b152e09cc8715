//! property: shift-range
//! verdict: false(shift-range)
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    int n = 32;
    return x >> n;
}
