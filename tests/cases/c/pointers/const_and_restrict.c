//! run: 11 22 33 20
// Qualifiers change nothing about values.
#include <stdio.h>

static void add(int n, int *restrict to, const int *restrict from) {
    for (int i = 0; i < n; i++)
        to[i] += from[i];
}

int main(void) {
    int a[3] = {1, 2, 3};
    const int b[3] = {10, 20, 30};
    int *const fixed = a;
    const int *moving = b;
    add(3, fixed, moving++);
    volatile int v = *moving;
    printf("%d %d %d %d\n", a[0], a[1], a[2], v);
    return 0;
}
