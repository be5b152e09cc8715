//! run: 0 1 0 0
//! run: 1 0
//! run: 1 1 1
//! run: 0 1
// NaN differs from everything; zeros are equal.
#include <stdio.h>
#include <math.h>

int main(void) {
    double nan = NAN, inf = INFINITY, zero = 0.0, minus = -0.0;
    printf("%d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1);
    printf("%d %d\n", zero == minus, 1 / zero == 1 / minus);
    printf("%d %d %d\n", inf > 1e308, -inf < inf, inf == inf + 1);
    printf("%d %d\n", !nan, nan ? 1 : 0);
    return 0;
}
