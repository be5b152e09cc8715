//! run: 49 4
// Promises to the optimiser.
#include <stdio.h>

static int square(int) __attribute__((const));
static int __attribute__((pure, noinline)) length(const char *s) {
    int n = 0;
    while (s[n])
        n++;
    return n;
}
static int square(int x) { return x * x; }

int main(void) {
    printf("%d %d\n", square(7), length("pure"));
    return 0;
}
