//! verdict: unknown(unsupported: a sequence of random numbers)
//! model: lp64
// Equal seeds give equal numbers.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(7);
    int x = rand();
    srand(7);
    assert(x == rand());
}
