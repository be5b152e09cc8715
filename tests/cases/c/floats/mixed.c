//! run: 3.5 3.5 3
//! run: 4 8 4
//! run: 10 2.0999999
//! run: 16 2
// Mixed operands are converted to the wider type.
#include <stdio.h>

int main(void) {
    int i = 7;
    float f = 2;
    double d = 2;
    printf("%g %g %d\n", i / f, i / d, i / 2);
    printf("%d %d %d\n", (int)sizeof(f + i), (int)sizeof(f + d), (int)sizeof(f * f));
    i *= 1.5;
    f += 0.1;
    printf("%d %.9g\n", i, f);
    i = 5;
    i /= 0.3;
    printf("%d %d\n", i, 1 + (0.5 > 0.25f));
    return 0;
}
