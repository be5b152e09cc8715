//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

static const int table[] = {2, 3, 5, 7};

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < sizeof table / sizeof table[0])
        return table[i];
    return 0;
}
