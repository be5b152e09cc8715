//! verdict: unknown(unsupported)
//! model: lp64
// Which float is nearest is not computed where there are many digits.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    assert(strtod("3.14159265358979323846", 0) < 3);
}
