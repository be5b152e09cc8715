//! run: 0.300000012 0.30000000000000004
//! run: 0.020000000000000004 0.5 -0.10000000000000001
//! run: 0 1
//! run: 0.33333333333333331
// IEEE arithmetic in both precisions.
#include <stdio.h>

int main(void) {
    float f = 0.1f, g = 0.2f;
    double d = 0.1, e = 0.2;
    printf("%.9g %.17g\n", f + g, d + e);
    printf("%.17g %.17g %.17g\n", d * e, d / e, d - e);
    printf("%d %d\n", d + e == 0.3, f * 10 == 1.0f);
    printf("%.17g\n", 1.0 / 3);
    return 0;
}
