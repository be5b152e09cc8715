//! run: 5 285
// Memory of the activation.
#include <stdio.h>

static int f(int n) {
    int *a = __builtin_alloca(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(void) {
    printf("%d %d\n", f(3), f(10));
    return 0;
}
