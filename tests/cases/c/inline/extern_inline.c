//! run: 3 7
// An inline definition with an external one.
#include <stdio.h>

inline int add(int a, int b) { return a + b; }
extern inline int add(int a, int b);

int main(void) {
    int (*f)(int, int) = add;
    printf("%d %d\n", add(1, 2), f(3, 4));
    return 0;
}
