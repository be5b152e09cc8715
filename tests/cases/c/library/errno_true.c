//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
    char *end;
    assert(strtoul("-99999999999999999999", &end, 10) == ULONG_MAX && errno == ERANGE && *end == 0);
    errno = 0;
    assert(strtol("12", 0, 1) == 0 && errno == EINVAL);
    errno = 0;
    assert(strtol("-0x1f", &end, 0) == -31 && errno == 0 && *end == 0);
    volatile double negative = -1;
    double root = sqrt(negative);
    assert(root != root && errno == EDOM);
    assert(fdim(INFINITY, INFINITY) == 0);
}
