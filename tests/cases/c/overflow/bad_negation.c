//! property: no-overflow
//! verdict: false(no-overflow)
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        x = -x;
    return 0;
}
