//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --entry clamp
// Without the precondition the postcondition fails.
int clamp(int value, int least, int most)
    __fathom_ensures(least <= __fathom_result && __fathom_result <= most)
{
    return value < least ? least : value > most ? most : value;
}
