//! run: 2
// The older meaning of extern inline, beside an ordinary definition.
#include <stdio.h>

extern inline __attribute__((gnu_inline)) int f(int x) { return x + 1; }
int f(int x) { return x + 1; }

int main(void) {
    printf("%d\n", f(1));
    return 0;
}
