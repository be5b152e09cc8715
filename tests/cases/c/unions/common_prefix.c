//! run: 48 30
// Structs of a union share a common initial sequence.
#include <stdio.h>

struct base { int kind; };
struct circle { int kind; int radius; };
struct box { int kind; int w, h; };
union shape { struct base base; struct circle circle; struct box box; };

static int area(union shape *s) {
    return s->base.kind == 1 ? 3 * s->circle.radius * s->circle.radius : s->box.w * s->box.h;
}

int main(void) {
    union shape a = {.circle = {1, 4}}, b = {.box = {2, 5, 6}};
    printf("%d %d\n", area(&a), area(&b));
    return 0;
}
