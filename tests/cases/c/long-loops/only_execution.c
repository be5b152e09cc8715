//! verdict: true
//! decided-by: auto
//! model: lp64
// There is nothing to choose, and the only execution does not violate the assertion.
#include <assert.h>

int main(void)
{
    unsigned long long sum = 0;
    for (unsigned i = 0; i < 3000000000u; i++)
        sum += 3;
    assert(sum == 9000000000ull);
    return 0;
}
