//! property: div-by-zero
//! verdict: true
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 100, y = __VERIFIER_nondet_int();
    if (y == 2 || y == 5)
        x /= y;
    return x;
}
