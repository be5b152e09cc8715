//! verdict: true
//! decided-by: auto
//! arguments: --entry countdown
// In postconditions, parameters have the values that they were given.
int countdown(int n)
    __fathom_requires(n >= 0 && n < 5)
    __fathom_ensures(n >= 0 && __fathom_result == n)
{
    int steps = 0;
    while (n > 0) {
        n--;
        steps++;
    }
    n = -7;
    return steps;
}
