//! run: 1 0 1 1
//! run: 1 1 1
//! run: 1 1 1
//! run: 4
// Pointers into one array are ordered by their index.
#include <stdio.h>

int main(void) {
    int a[5], *p = &a[1], *q = &a[3], *null = 0;
    printf("%d %d %d %d\n", p < q, p > q, p <= p, q >= a);
    printf("%d %d %d\n", p == &a[1], p != q, p + 2 == q);
    printf("%d %d %d\n", null == 0, !null, p && q);
    for (p = a; p != a + 5; p++)
        *p = p - a;
    printf("%d\n", a[4]);
    return 0;
}
