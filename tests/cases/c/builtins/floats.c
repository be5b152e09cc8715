//! run: 1 1 0
//! run: 1 1
//! run: 2.5 1
//! run: 0 1
// Special floats and their tests.
#include <stdio.h>

int main(void) {
    double inf = __builtin_inf(), nan = __builtin_nan("");
    printf("%d %d %d\n", __builtin_isinf(inf) != 0, __builtin_isnan(nan) != 0, __builtin_isnan(inf) != 0);
    printf("%d %d\n", __builtin_huge_val() == inf, __builtin_signbit(-0.0) != 0);
    printf("%g %g\n", __builtin_fabs(-2.5), __builtin_inff() > 1e30f ? 1.0 : 0.0);
    printf("%d %d\n", __builtin_isgreater(1.0, nan), __builtin_isunordered(1.0, nan));
    return 0;
}
