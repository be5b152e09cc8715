//! property: shift-range
//! verdict: false(shift-range)
//! decided-by: auto
//! model: lp64
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 5;
    x <<= __VERIFIER_nondet_int();
    return x;
}
