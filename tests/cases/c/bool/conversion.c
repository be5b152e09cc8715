//! run: 1 1 1 0 1 0
//! run: 1 0 1
// Everything that is not zero becomes 1.
#include <stdio.h>
#include <stdbool.h>

int main(void) {
    _Bool a = 256, b = 0.001, c = -1, d = (int *)0 != 0, e = "text" != 0;
    bool f = (char)256;
    printf("%d %d %d %d %d %d\n", a, b, c, d, e, f);
    printf("%d %d %d\n", (bool)2, (_Bool)0, (int)(bool)0.5);
    return 0;
}
