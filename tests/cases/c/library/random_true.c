//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

int main(void) {
    srand(7);
    int x = rand();
    assert(x >= 0 && x <= RAND_MAX);
}
