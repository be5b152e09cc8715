//! run: 0 11 22 48 16 9
// Rows follow each other in memory.
#include <stdio.h>

int main(void) {
    int a[3][4], *flat = &a[0][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = 10 * i + j;
    for (int k = 0; k < 12; k += 5)
        printf("%d ", flat[k]);
    printf("%d %d %d\n", (int)sizeof a, (int)sizeof a[0], (int)(&a[2][1] - flat));
    return 0;
}
