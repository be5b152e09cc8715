//! run: 1.41421356237309 12 100000
// Square roots by iteration.
#include <stdio.h>

static double root(double x) {
    double r = x / 2;
    for (int i = 0; i < 20; i++)
        r = (r + x / r) / 2;
    return r;
}

int main(void) {
    printf("%.15g %.15g %.15g\n", root(2), root(144), root(1e10));
    return 0;
}
