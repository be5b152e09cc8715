//! run: 41 6 1 2
// Arrays of pointers and ragged rows.
#include <stdio.h>

int main(void) {
    int one[] = {1}, two[] = {2, 3}, three[] = {4, 5, 6};
    int *rows[3] = {one, two, three};
    int **p = rows, sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            sum += rows[i][j] * (j + 1);
    int *t = rows[0];
    rows[0] = rows[2];
    rows[2] = t;
    printf("%d %d %d %d\n", sum, rows[0][2], **(p + 2), *p[1]);
    return 0;
}
