//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry down
// The precondition is assumed of the first call, and checked of those that the function makes itself.
int down(int n)
    __fathom_requires(n > 0)
{
    return n > 5 ? 0 : down(n - 1);
}
