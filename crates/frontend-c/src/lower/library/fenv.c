/* Exceptions of floats: which ones were raised is not computed. */

int __VERIFIER_nondet_int(void);
void __fathom_made_up(void);

int feclearexcept(int exceptions)
{
    return 0;
}

int feraiseexcept(int exceptions)
{
    return 0;
}

int fetestexcept(int exceptions)
{
    __fathom_made_up();
    return __VERIFIER_nondet_int() & exceptions;
}
