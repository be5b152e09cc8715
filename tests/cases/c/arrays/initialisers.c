//! run: 2 0 0
//! run: 12 3
//! run: 3 4 0 0
// Missing initialisers are zero; the size may follow from them.
#include <stdio.h>

int main(void) {
    int a[5] = {1, 2}, b[] = {1, 2, 3}, c[2][3] = {1, 2, 3, 4}, d[][2] = {{1}, {2, 3}, {4}};
    printf("%d %d %d\n", a[1], a[2], a[4]);
    printf("%d %d\n", (int)sizeof b, (int)(sizeof d / sizeof d[0]));
    printf("%d %d %d %d\n", c[0][2], c[1][0], c[1][1], d[2][1]);
    return 0;
}
