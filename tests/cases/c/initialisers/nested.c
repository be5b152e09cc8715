//! run: 1 2 0 4 5
//! run: 9 8 7
// Designators reach into nested aggregates.
#include <stdio.h>

struct p { int x, y; };
struct s { struct p p[2]; int n; };

int main(void) {
    struct s s = {.p[1].y = 4, .n = 5, .p[0] = {1, 2}};
    struct s t[2] = {[1].p[0].x = 9, 8, [0].n = 7};
    printf("%d %d %d %d %d\n", s.p[0].x, s.p[0].y, s.p[1].x, s.p[1].y, s.n);
    printf("%d %d %d\n", t[1].p[0].x, t[1].p[0].y, t[0].n);
    return 0;
}
