//! run: 12 13
//! run: 10 12 2 15
//! run: 15 15 10
//! run: 11 14
// a[i] and i[a] are the same; indices have side effects.
#include <stdio.h>

int main(void) {
    int a[6] = {10, 11, 12, 13, 14, 15}, i = 0;
    printf("%d %d\n", 2 [a], *(3 + a));
    int x = a[i++];
    int y = a[++i];
    a[i] = a[i + 1] + i;
    printf("%d %d %d %d\n", x, y, i, a[2]);
    int *middle = &a[3];
    printf("%d %d %d\n", middle[-1], middle[2], *(middle - 3));
    char c = 1;
    unsigned long long u = 4;
    printf("%d %d\n", a[c], a[u]);
    return 0;
}
