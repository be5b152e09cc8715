//! verdict: true
//! decided-by: auto
//! arguments: --entry clamp
//! assuming: callers of clamp see to its requires clauses
// The function that execution starts with finds its preconditions true.
int clamp(int value, int least, int most)
    __fathom_requires(least <= most)
    __fathom_ensures(least <= __fathom_result && __fathom_result <= most)
{
    return value < least ? least : value > most ? most : value;
}
