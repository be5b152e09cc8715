//! verdict: true
//! decided-by: auto
//! property: uninitialised
int __VERIFIER_nondet_int(void);
int calls;
int count(int x)
{
    calls++;
    if (x > 0)
        return calls;
}
int forever(int x)
{
    for (;;)
        if (x++ > 10)
            return x;
}
int always(int x)
{
    if (x > 0)
        return 1;
    else
        return 2;
}
int (*by_pointer)(int) = count;
#define LAST(x) ({ count(x); })
int main(void)
{
    /* nobody looks at the value */
    count(__VERIFIER_nondet_int());
    (void)count(__VERIFIER_nondet_int());
    by_pointer(__VERIFIER_nondet_int());
    LAST(__VERIFIER_nondet_int());
    /* here it is given */
    int y = count(1) + forever(8) + always(__VERIFIER_nondet_int());
    return y;
}
