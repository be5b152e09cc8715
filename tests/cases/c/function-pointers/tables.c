//! run: 4 8 -8 -16
// A table of functions, chosen by index.
#include <stdio.h>

static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }
static int neg(int x) { return -x; }

static int (*const ops[])(int) = {inc, dbl, neg, dbl};

int main(void) {
    int x = 3;
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        printf("%d ", x = ops[i](x));
    printf("\n");
    return 0;
}
