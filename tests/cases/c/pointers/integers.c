//! run: 2
//! run: 4 12
//! run: 1 0
// Pointers become integers and come back.
#include <stdio.h>
#include <stdint.h>

int main(void) {
    int a[4] = {1, 2, 3, 4};
    uintptr_t n = (uintptr_t)&a[1];
    int *p = (int *)n;
    printf("%d\n", *p);
    n += 2 * sizeof(int);
    p = (int *)n;
    printf("%d %d\n", *p, (int)((uintptr_t)&a[3] - (uintptr_t)a));
    printf("%d %d\n", (uintptr_t)0 == (uintptr_t)(void *)0, (int)((uintptr_t)a % sizeof(int)));
    return 0;
}
