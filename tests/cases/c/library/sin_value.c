//! verdict: unknown(unsupported)
//! model: lp64
// What sin gives is not computed.
#include <assert.h>
#include <math.h>

int main(void) {
    assert(sin(1.0) == 0.5);
}
