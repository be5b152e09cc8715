//! run: 24 42579 1234
// Backtracking over an array that is changed and restored.
#include <stdio.h>

static int count, checksum;

static void permute(int *a, int k, int n) {
    if (k == n) {
        count++;
        int v = 0;
        for (int i = 0; i < n; i++)
            v = v * 10 + a[i];
        checksum ^= v * count;
        return;
    }
    for (int i = k; i < n; i++) {
        int t = a[k];
        a[k] = a[i];
        a[i] = t;
        permute(a, k + 1, n);
        a[i] = a[k];
        a[k] = t;
    }
}

int main(void) {
    int a[] = {1, 2, 3, 4};
    permute(a, 0, 4);
    printf("%d %d %d%d%d%d\n", count, checksum, a[0], a[1], a[2], a[3]);
    return 0;
}
