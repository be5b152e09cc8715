//! run: 16 9
// A typedef fixes the length where it stands.
#include <stdio.h>

int main(void) {
    int n = 4;
    typedef int row[n];
    n = 100;
    row a, b;
    for (int i = 0; i < 4; i++)
        a[i] = i, b[i] = a[i] * 2;
    printf("%d %d\n", (int)sizeof(row), a[3] + b[3]);
    return 0;
}
