//! run: 7 14 7
//! run: 100
// Addresses of locals and parameters.
#include <stdio.h>

static int twice(int n) {
    int *p = &n;
    *p *= 2;
    return n;
}

static void both(int *a, int *b) {
    *a += 1;
    *b += 1;
}

int main(void) {
    int x = 5, *p = &x;
    both(&x, p);
    printf("%d %d %d\n", x, twice(x), x);
    {
        int x = 100;
        *p = x;
    }
    printf("%d\n", x);
    return 0;
}
