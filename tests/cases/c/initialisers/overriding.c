//! run: 1 200 30 4
//! run: 2 7 6
// A later initialiser for the same element wins.
#include <stdio.h>

int main(void) {
    int a[4] = {1, 2, 3, 4, [1] = 20, 30, [1] = 200};
    struct { int x; int y[2]; } s = {.x = 1, .y = {5, 6}, .y[0] = 7, .x = 2};
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    printf("%d %d %d\n", s.x, s.y[0], s.y[1]);
    return 0;
}
