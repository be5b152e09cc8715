//! run: 60 280
// Each activation has an array of its own.
#include <stdio.h>

static int f(int n) {
    if (n == 0)
        return 0;
    int a[n];
    a[n - 1] = n;
    int below = f(n - 1);
    return a[n - 1] * 10 + below;
}

int main(void) {
    printf("%d %d\n", f(3), f(7));
    return 0;
}
