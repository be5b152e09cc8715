//! verdict: false(uninitialised)
//! decided-by: auto
//! property: uninitialised
/* C11 6.9.1p12: the value of a call that ended without one must not be used. */
int __VERIFIER_nondet_int(void);
int positive(int x)
{
    if (x > 0)
        return 1;
}
int main(void)
{
    int y = positive(__VERIFIER_nondet_int());
    return y;
}
