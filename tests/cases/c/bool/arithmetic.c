//! run: 2 -1 -2 8
//! run: 1 1
//! run: 0 1 1
// Truth values are promoted to int.
#include <stdio.h>

int main(void) {
    _Bool t = 1, f = 0;
    printf("%d %d %d %d\n", t + t, -t, ~t, t << 3);
    t += 5;
    f--;
    printf("%d %d\n", t, f);
    t -= 1;
    f++;
    f++;
    printf("%d %d %d\n", t, f, (int)sizeof t);
    return 0;
}
