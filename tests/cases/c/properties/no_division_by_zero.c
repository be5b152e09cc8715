//! property: div-by-zero
//! verdict: true
//! decided-by: auto
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0)
        n = 1;
    return 100 / n;
}
