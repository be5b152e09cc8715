//! property: array-bounds
//! verdict: false(array-bounds)
//! decided-by: auto
//! model: lp64
extern unsigned __VERIFIER_nondet_uint(void);

static const int table[] = {2, 3, 5, 7};

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < sizeof table)
        return table[i];
    return 0;
}
