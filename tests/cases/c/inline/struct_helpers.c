//! run: (0,1) (-1,0) (0,-1) (1,0)
// Small functions on structs.
#include <stdio.h>

typedef struct { int re, im; } Complex;

static inline Complex mul(Complex a, Complex b) {
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

int main(void) {
    Complex z = {1, 0}, i = {0, 1};
    for (int k = 0; k < 4; k++) {
        z = mul(z, i);
        printf("(%d,%d) ", z.re, z.im);
    }
    printf("\n");
    return 0;
}
