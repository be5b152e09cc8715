//! run: 108 5 2
//! run: -1 -2
// Structs in structs, through dots and arrows.
#include <stdio.h>

struct point { int x, y; };
struct line { struct point from, to; };
struct shape { struct line lines[2]; struct point *origin; };

int main(void) {
    struct point o = {100, 200};
    struct shape s = {{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, &o};
    struct shape *p = &s;
    struct line *l = &p->lines[1];
    l->to.y += p->origin->x;
    p->origin->y = l->from.x;
    printf("%d %d %d\n", s.lines[1].to.y, o.y, p->lines[0].from.y);
    struct point *q = &l->from;
    q[0].x = -1;
    (*q).y = -2;
    printf("%d %d\n", s.lines[1].from.x, s.lines[1].from.y);
    return 0;
}
