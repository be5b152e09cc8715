//! verdict: true
//! decided-by: auto
//! assuming: tick keeps its contract and writes nothing that its assigns clauses do not mention
#include <assert.h>
static int now, other = 3;
void tick(int *overflow)
    __fathom_requires(overflow != 0)
    __fathom_assigns(now)
    __fathom_ensures(now >= __fathom_old(now));
int main(void) {
    int overflow = 5;
    tick(&overflow);
    assert(now >= 0 && other == 3 && overflow == 5);
    return 0;
}
