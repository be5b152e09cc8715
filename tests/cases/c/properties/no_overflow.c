//! property: no-overflow
//! verdict: true
//! decided-by: auto
extern short __VERIFIER_nondet_short(void);

int main(void) {
    short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
    unsigned wraps = 4000000000u + 4000000000u;
    return a + b - (wraps > 0);
}
