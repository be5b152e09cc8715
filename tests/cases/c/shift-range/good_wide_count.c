//! property: shift-range
//! verdict: true
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned long long n = __VERIFIER_nondet_uint();
    if (n > 31)
        n = 0;
    return 1u << n == 0;
}
