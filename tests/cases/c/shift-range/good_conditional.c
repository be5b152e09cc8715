//! property: shift-range
//! verdict: true
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

// Operands that are not evaluated are not checked.
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = __VERIFIER_nondet_uint();
    unsigned a = n < 32 ? 1u << n : 0;
    unsigned b = n >= 32 ? 0 : x >> n;
    int c = n < 32 && (x >> n & 1);
    int d = n >= 32 || x << n == 0;
    if (n < 32 && x >> n)
        a += 1;
    while (n < 32 ? x >> n == 7 : 0)
        n++;
    return a + b + c + d != 0;
}
