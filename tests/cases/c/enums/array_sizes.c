//! run: 32 3 16 9
// Enumerators are constant expressions.
#include <stdio.h>

enum { ROWS = 2, COLS = 1 << ROWS, ALL = ROWS * COLS, LAST = ALL - 1 };

static int grid[ROWS][COLS];
static int flat[ALL] = {[LAST] = 9, [ROWS] = 1};

int main(void) {
    for (int i = 0; i < ALL; i++)
        grid[i / COLS][i % COLS] = flat[i] + i;
    printf("%d %d %d %d\n", (int)sizeof grid, grid[0][ROWS], grid[1][3], flat[LAST]);
    return 0;
}
