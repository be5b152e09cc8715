//! run: 4 6 9
//! run: 6 11 48
//! run: 12
// A pointer to an array steps over whole arrays.
#include <stdio.h>

int main(void) {
    int a[4][3];
    for (int i = 0; i < 12; i++)
        a[i / 3][i % 3] = i;
    int (*row)[3] = a + 1;
    printf("%d %d %d\n", (*row)[1], row[1][0], *row[2]);
    row++;
    int (*whole)[4][3] = &a;
    printf("%d %d %d\n", **row, (*whole)[3][2], (int)sizeof *whole);
    printf("%d\n", (int)((char *)(row + 1) - (char *)row));
    return 0;
}
