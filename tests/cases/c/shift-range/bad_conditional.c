//! property: shift-range
//! verdict: false(shift-range)
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    return (n <= 32 ? 1u << n : 0) != 0;
}
