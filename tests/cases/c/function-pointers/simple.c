//! run: 8 8 2 2 1
// Calls through a pointer, with and without a star.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }

int main(void) {
    int (*f)(int, int) = add;
    printf("%d %d ", f(5, 3), (*f)(5, 3));
    f = &sub;
    printf("%d %d %d\n", f(5, 3), (**f)(5, 3), f == sub);
    return 0;
}
