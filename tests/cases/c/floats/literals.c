//! run: 1000 0.5 5 0.015
//! run: 16 0.75
//! run: 8 4 0
//! run: 0.10000000000000001 0.100000001
//! run: 1.2345678901234568e+17
// Literals in decimal and hexadecimal, with suffixes.
#include <stdio.h>

int main(void) {
    printf("%g %g %g %g\n", 1e3, .5, 5., 1.5e-2);
    printf("%g %g\n", 0x1p4, 0x1.8p-1);
    printf("%d %d %d\n", (int)sizeof 1.0, (int)sizeof 1.0f, 0.1f == 0.1);
    printf("%.17g %.9g\n", 0.1, 0.1f);
    printf("%.17g\n", 123456789012345678.0);
    return 0;
}
