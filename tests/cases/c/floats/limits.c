//! run: 1 1
//! run: 1 1 5.56268e-309
//! run: 1 2.22045e-16 2.22045e-16
// Overflow to infinity, underflow to denormals and zero.
#include <stdio.h>
#include <float.h>

int main(void) {
    double d = DBL_MAX, t = DBL_MIN;
    float f = FLT_MAX;
    volatile float g = f * 2;
    printf("%d %d\n", d * 2 > d, g > FLT_MAX);
    t /= 4;
    printf("%d %d %g\n", t > 0, t * 4 == DBL_MIN, t);
    for (int i = 0; i < 60; i++)
        t /= 2;
    printf("%d %g %g\n", t == 0, DBL_EPSILON, 1 + DBL_EPSILON - 1);
    return 0;
}
