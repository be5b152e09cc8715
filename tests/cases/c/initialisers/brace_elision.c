//! run: 4 5 0
//! run: 2 3 5 6 0
//! run: 2 3 0 4
// Braces inside may be left out.
#include <stdio.h>

struct p { int x, y; };

int main(void) {
    struct p a[3] = {1, 2, 3, 4, 5};
    int m[2][2][2] = {1, 2, {3}, {{4, 5}, {6}}};
    struct { struct p p; int n[2]; int last; } s = {1, 2, {3}, 4};
    printf("%d %d %d\n", a[1].y, a[2].x, a[2].y);
    printf("%d %d %d %d %d\n", m[0][0][1], m[0][1][0], m[1][0][1], m[1][1][0], m[1][1][1]);
    printf("%d %d %d %d\n", s.p.y, s.n[0], s.n[1], s.last);
    return 0;
}
