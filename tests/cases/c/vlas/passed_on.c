//! run: 10 -9
// A variable length array is passed on as a pointer.
#include <stdio.h>

static void fill(int *a, int n, int v) {
    for (int i = 0; i < n; i++)
        a[i] = v + i;
}

static int max(const int a[], int n) {
    int best = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > best)
            best = a[i];
    return best;
}

int main(void) {
    int n = 6;
    int a[n], b[n * 2];
    fill(a, n, 5);
    fill(b, n * 2, -20);
    printf("%d %d\n", max(a, n), max(b, 2 * n));
    return 0;
}
