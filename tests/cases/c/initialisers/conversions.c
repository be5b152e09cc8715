//! run: 44 255 65 1 3 -3
//! run: 1 0 1 -31073 -1
// Initialisers are converted like assigned values.
#include <stdio.h>

int main(void) {
    unsigned char c[3] = {300, -1, 65.9};
    float f = 1;
    int i = 3.99, j = -3.99;
    _Bool b[3] = {2, 0, 0.1};
    short s = {99999};
    long long w = {-1};
    printf("%d %d %d %g %d %d\n", c[0], c[1], c[2], f, i, j);
    printf("%d %d %d %d %lld\n", b[0], b[1], b[2], s, w);
    return 0;
}
