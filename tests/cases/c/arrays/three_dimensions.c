//! run: 24 54 70
//! run: 24
// An array of arrays of arrays, and sums along each direction.
#include <stdio.h>

static short cube[2][3][4];

int main(void) {
    int n = 0, along[3] = {0};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                cube[i][j][k] = n++;
    for (int i = 0; i < 2; i++)
        along[0] += cube[i][1][2];
    for (int j = 0; j < 3; j++)
        along[1] += cube[1][j][2];
    for (int k = 0; k < 4; k++)
        along[2] += cube[1][1][k];
    printf("%d %d %d\n", along[0], along[1], along[2]);
    printf("%d\n", (int)sizeof cube[1]);
    return 0;
}
