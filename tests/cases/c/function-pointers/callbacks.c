//! run: 24 12
// Functions as arguments.
#include <stdio.h>

static void each(int *a, int n, void (*f)(int *, void *), void *data) {
    for (int i = 0; i < n; i++)
        f(&a[i], data);
}

static void add_to(int *x, void *sum) { *(int *)sum += *x; }
static void scale(int *x, void *by) { *x *= *(int *)by; }

int main(void) {
    int a[] = {1, 2, 3}, sum = 0, by = 4;
    each(a, 3, scale, &by);
    each(a, 3, add_to, &sum);
    printf("%d %d\n", sum, a[2]);
    return 0;
}
