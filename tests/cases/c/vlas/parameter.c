//! run: 5 15
// A parameter's dimension names another parameter.
#include <stdio.h>

static int trace(int n, int m[n][n]) {
    int t = 0;
    for (int i = 0; i < n; i++)
        t += m[i][i];
    return t;
}

int main(void) {
    int a[2][2] = {{1, 2}, {3, 4}}, b[3][3] = {{1, 0, 0}, {0, 5, 0}, {0, 0, 9}};
    printf("%d %d\n", trace(2, a), trace(3, b));
    return 0;
}
