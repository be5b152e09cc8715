//! run: 81 4.5
// A function pointer is carried in another type and cast back.
#include <stdio.h>

typedef void (*any)(void);

static int square(int x) { return x * x; }
static double half(double x) { return x / 2; }

int main(void) {
    any table[] = {(any)square, (any)half};
    int i = ((int (*)(int))table[0])(9);
    double d = ((double (*)(double))table[1])(9);
    printf("%d %g\n", i, d);
    return 0;
}
