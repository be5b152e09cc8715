//! verdict: true
//! decided-by: auto
//! arguments: --entry sum
// Conditions may call functions without side effects.
static int is_small(int n) {
    int i, bound = 0;
    for (i = 0; i < 3; i++)
        bound += 10;
    return n >= 0 && n < bound;
}
int sum(int a, int b)
    __fathom_requires(is_small(a) && is_small(b))
    __fathom_ensures(__fathom_result >= a && __fathom_result <= 58)
{
    return a + b;
}
