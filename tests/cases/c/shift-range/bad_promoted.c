//! property: shift-range
//! verdict: false(shift-range)
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char c = 1, n = __VERIFIER_nondet_uint();
    return c << n == 0;
}
