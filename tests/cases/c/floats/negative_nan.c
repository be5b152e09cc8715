//! verdict: true
//! decided-by: auto
/* The sign of a NaN that is written down can be seen. */
#include <assert.h>
#include <math.h>
int main(void)
{
    union {
        double value;
        unsigned long long bits;
    } it;
    it.value = -(double)NAN;
    assert(it.bits >> 63);
    return 0;
}
