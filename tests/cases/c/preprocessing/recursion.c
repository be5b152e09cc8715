//! run: 21 5
// A macro is not expanded inside itself.
#include <stdio.h>

#define f(x) (f(x) + 1)
#define a b
#define b a

static int (f)(int x) { return x * 2; }

int main(void) {
    int a = 5;
    printf("%d %d\n", f(10), a);
    return 0;
}
