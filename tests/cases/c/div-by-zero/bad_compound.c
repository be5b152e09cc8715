//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 100, y = __VERIFIER_nondet_int();
    if (y < 2 && y > -2)
        x %= y;
    return x;
}
