//! run: 4464 70000 4
// typeof of variables and expressions.
#include <stdio.h>

int main(void) {
    short s = -1;
    __typeof__(s) t = 70000;
    typeof(s + 1) u = 70000;
    __typeof(1.0f) f = 0.1;
    printf("%d %d %d\n", t, u, (int)sizeof f);
    return 0;
}
