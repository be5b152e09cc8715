//! property: no-overflow
//! verdict: true
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    long long sum = (long long)x + y;
    return sum > 0;
}
