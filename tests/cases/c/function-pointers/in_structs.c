//! run: box 12
//! run: triangle 15
// Objects with functions as members.
#include <stdio.h>

struct shape {
    int w, h;
    int (*area)(const struct shape *);
    const char *(*name)(void);
};

static int box(const struct shape *s) { return s->w * s->h; }
static int triangle(const struct shape *s) { return s->w * s->h / 2; }
static const char *box_name(void) { return "box"; }
static const char *triangle_name(void) { return "triangle"; }

int main(void) {
    struct shape shapes[] = {{3, 4, box, box_name}, {6, 5, triangle, triangle_name}};
    for (int i = 0; i < 2; i++)
        printf("%s %d\n", shapes[i].name(), shapes[i].area(&shapes[i]));
    return 0;
}
