//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

static int divide(int a, int b) {
    return a / b;
}

int main(void) {
    return divide(8, __VERIFIER_nondet_int());
}
