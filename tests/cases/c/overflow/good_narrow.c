//! property: no-overflow
//! verdict: true
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    signed char c = __VERIFIER_nondet_int();
    return c + c;
}
