//! run: 23 10 32
// A pointer to a variable length array steps by its size.
#include <stdio.h>

int main(void) {
    int rows = 3, cols = 4;
    int m[rows][cols];
    int (*p)[cols] = m;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            p[i][j] = i * 10 + j;
    p += 2;
    printf("%d %d %d\n", (*p)[3], p[-1][0], (int)((char *)p - (char *)m));
    return 0;
}
