//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry sign
int sign(int n)
    __fathom_ensures(__fathom_result == (n > 0) - (n < 0))
{
    if (n > 0)
        return 1;
    if (n < -1000)
        return 1;
    return n < 0 ? -1 : 0;
}
