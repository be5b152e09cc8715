//! run: 13 26
//! run: 8 2
//! run: text 6
// Compound literals are objects: they have addresses and can be changed.
#include <stdio.h>

struct p { int x, y; };

static int dot(struct p a, const struct p *b) { return a.x * b->x + a.y * b->y; }

int main(void) {
    int *a = (int[]){1, 2, 3};
    a[1] += 10;
    struct p *p = &(struct p){.y = 5};
    p->x = 2;
    printf("%d %d\n", a[0] + a[1], dot((struct p){3, 4}, p));
    printf("%d %d\n", (int){7} + 1, ((struct p){1, 2}).y);
    printf("%s %d\n", (char[]){"text"}, (int)sizeof((short[]){1, 2, 3}));
    return 0;
}
