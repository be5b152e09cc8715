//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int set = __VERIFIER_nondet_int(), x;
    if (set > 0)
        x = 3;
    return set ? x : 0;
}
