//! verdict: unknown(does not say by __fathom_assigns what is written)
//! decided-by: auto
// A promise about a variable that is not said to be written would exclude executions.
#include <assert.h>
int now;
void tick(void) __fathom_ensures(now == __fathom_old(now) + 1);
int main(void) {
    tick();
    assert(0);
    return 0;
}
