//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char x = __VERIFIER_nondet_uint();
    unsigned char y = x * 2;
    return y == 0 && x != 0 ? 1 / y : 0;
}
