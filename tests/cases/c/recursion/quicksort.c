//! run: 1 4 253
// Quicksort by recursion on parts of an array.
#include <stdio.h>

static void sort(int *a, int n) {
    if (n < 2)
        return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    for (;; i++, j--) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i >= j)
            break;
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
    sort(a, i);
    sort(a + i, n - i);
}

int main(void) {
    int a[20];
    unsigned x = 12345;
    for (int i = 0; i < 20; i++) {
        x = x * 1103515245 + 12345;
        a[i] = x >> 16 & 0xff;
    }
    sort(a, 20);
    int ordered = 1;
    for (int i = 1; i < 20; i++)
        ordered &= a[i - 1] <= a[i];
    printf("%d %d %d\n", ordered, a[0], a[19]);
    return 0;
}
