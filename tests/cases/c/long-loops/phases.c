//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// The loop takes thousands of millions of rounds, in two phases; then the counter is odd.
#include <assert.h>

static unsigned next(unsigned n)
{
    return n < 1000000001u ? n + 1 : n + 2;
}

int main(void)
{
    unsigned n = 0, rounds = 0;
    while (n < 4000000000u) {
        n = next(n);
        rounds++;
    }
    assert(n != 4000000001u || rounds != 2500000001u);
    return 0;
}
