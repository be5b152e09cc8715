//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    return x != 0 || 6 / x == 2;
}
