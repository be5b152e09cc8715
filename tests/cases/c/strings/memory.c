//! run: 0101234789
//! run: 1234234789
//! run: 1---234789
//! run: 0 3
//! run: 1
// memcpy, memmove, memset, memcmp.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[] = "0123456789";
    memmove(a + 2, a, 5);
    printf("%s\n", a);
    memmove(a, a + 3, 4);
    printf("%s\n", a);
    memset(a + 1, '-', 3);
    printf("%s\n", a);
    int x[3] = {1, 2, 3}, y[3];
    memcpy(y, x, sizeof x);
    printf("%d %d\n", memcmp(x, y, sizeof x), y[2]);
    y[0] = 256;
    printf("%d\n", memcmp(x, y, sizeof x) > 0);
    return 0;
}
