//! run: -8 -3 0 2 2 5 7 9 8
// Sorting in place.
#include <stdio.h>

static void sort(int *a, int n) {
    for (int i = 1; i < n; i++) {
        int key = a[i], j = i - 1;
        while (j >= 0 && a[j] > key) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}

int main(void) {
    int a[] = {5, -3, 9, 0, 2, 2, -8, 7};
    int n = sizeof a / sizeof *a;
    sort(a, n);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("%d\n", n);
    return 0;
}
