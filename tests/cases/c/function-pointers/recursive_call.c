//! run: 720 1 0
// Recursion through a pointer.
#include <stdio.h>

typedef int (*fn)(int, void *);

static int fact(int n, void *self) { return n < 2 ? 1 : n * (*(fn *)self)(n - 1, self); }

static int even(int n);
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int even(int n) {
    int (*next)(int) = odd;
    return n == 0 ? 1 : next(n - 1);
}

int main(void) {
    fn f = fact;
    printf("%d %d %d\n", f(6, &f), even(10), odd(10));
    return 0;
}
