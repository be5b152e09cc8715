//! run: 2 2
//! run: 2 3
// Atomic pointers.
#include <stdio.h>
#include <stdatomic.h>

int main(void) {
    int a[3] = {1, 2, 3};
    int *_Atomic p = a;
    p++;
    int *_Atomic *q = &p;
    printf("%d %d\n", *p, **q);
    int *old = atomic_exchange(&p, a + 2);
    printf("%d %d\n", *old, *p);
    return 0;
}
