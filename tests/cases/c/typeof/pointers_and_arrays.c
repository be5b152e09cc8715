//! run: 20 9 2 2
// typeof keeps arrays and pointers.
#include <stdio.h>

int main(void) {
    int a[5] = {1, 2, 3};
    typeof(a) b = {9};
    typeof(&a[0]) p = b;
    typeof(a[0]) *q = a + 1;
    typeof(int *) pp[2] = {p, q};
    printf("%d %d %d %d\n", (int)sizeof b, *pp[0], *pp[1], (int)sizeof pp / (int)sizeof p);
    return 0;
}
