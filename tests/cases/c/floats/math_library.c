//! run: 1.5 -2 -1 -1
//! run: 1.5 1 2
//! run: 3 1.5 -3
//! run: 1 1 1
// Functions of the mathematics library that are exact.
#include <stdio.h>
#include <math.h>

int main(void) {
    printf("%g %g %g %g\n", fabs(-1.5), floor(-1.5), ceil(-1.5), trunc(-1.5));
    printf("%g %g %g\n", sqrt(2.25), fmin(1, 2), fmax(1, 2));
    printf("%g %g %g\n", round(2.5), fmod(7.5, 2), copysign(3, -0.0));
    printf("%d %d %d\n", isnan(sqrt(-1.0)) != 0, isinf(INFINITY) != 0, isfinite(1.0) != 0);
    return 0;
}
