//! verdict: true
//! decided-by: auto
//! property: uninitialised
int nondet_int(void);
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
    count(nondet_int());
    (void)count(nondet_int());
    by_pointer(nondet_int());
    LAST(nondet_int());
    /* here it is given */
    int y = count(1) + forever(8) + always(nondet_int());
    return y;
}
