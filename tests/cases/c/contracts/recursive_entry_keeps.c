//! verdict: true
//! decided-by: auto
//! arguments: --entry down
int down(int n)
    __fathom_requires(n > 0 && n < 4)
    __fathom_ensures(__fathom_result == 1)
{
    return n == 1 ? 1 : down(n - 1);
}
