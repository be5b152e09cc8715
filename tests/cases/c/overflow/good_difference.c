//! property: no-overflow
//! verdict: true
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned short a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    return a - b;
}
