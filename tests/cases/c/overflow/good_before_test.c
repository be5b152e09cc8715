//! property: no-overflow
//! verdict: true
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 2147483647 - 10)
        return 0;
    return x + 10;
}
