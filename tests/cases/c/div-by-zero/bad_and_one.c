//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    return 10 / (x & 1);
}
