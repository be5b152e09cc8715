//! run: 10 5 15
// Array parameters are pointers; inner dimensions stay.
#include <stdio.h>

static int sum(int a[10], int n) {
    int s = 0;
    while (n--)
        s += *a++;
    return s;
}

static void transpose(int n, int m[][3]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}

int main(void) {
    int a[] = {1, 2, 3, 4}, m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    transpose(3, m);
    printf("%d %d %d\n", sum(a, 4), sum(a + 1, 2), sum(m[1], 3));
    return 0;
}
