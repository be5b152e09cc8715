//! property: div-by-zero
//! verdict: true
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != 0)
        return 10 / x;
    return 0;
}
