//! run: -3 3 4000000000
//! run: 16777216.0 123456792.0
//! run: 9007199254740992.0 1000000000000000000
//! run: 200 -1
//! run: 0.1000000015
// To integers by truncation, from integers by rounding.
#include <stdio.h>

int main(void) {
    double d = -3.99;
    float f = 16777217;
    printf("%d %d %u\n", (int)d, (int)3.99, (unsigned)4000000000.5);
    printf("%.1f %.1f\n", f, (float)123456789);
    long long w = 9007199254740993ll;
    printf("%.1f %lld\n", (double)w, (long long)1e18);
    unsigned char c = 200.7;
    printf("%d %g\n", c, (double)(char)-1);
    printf("%.10g\n", (double)(float)0.1);
    return 0;
}
