//! run: 25.25 0.5 1.25 -2
//! run: 1.5 -0.75 2
// Floats in memory: arrays, structs, pointers and parameters.
#include <stdio.h>

struct v { float x, y; double w; };

static double norm2(const struct v *v) { return v->x * v->x + v->y * v->y + v->w; }

static void scale(float *a, int n, float by) {
    while (n--)
        *a++ *= by;
}

int main(void) {
    struct v v = {3, 4, 0.25};
    float a[3] = {1, 2.5f, -4};
    scale(a, 3, 0.5f);
    printf("%g %g %g %g\n", norm2(&v), a[0], a[1], a[2]);
    a[0]++;
    --v.w;
    printf("%g %g %g\n", a[0], v.w, -a[2]);
    return 0;
}
