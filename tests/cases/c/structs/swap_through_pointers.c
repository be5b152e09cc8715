//! run: 2b 3c 1a
// Whole structs are exchanged through pointers; aliases see it.
#include <stdio.h>

struct pair { int a; char b; };

static void swap(struct pair *x, struct pair *y) {
    struct pair t = *x;
    *x = *y;
    *y = t;
}

int main(void) {
    struct pair p[3] = {{1, 'a'}, {2, 'b'}, {3, 'c'}};
    swap(&p[0], &p[2]);
    swap(p + 1, p + 1);
    swap(&p[1], p);
    for (int i = 0; i < 3; i++)
        printf("%d%c ", p[i].a, p[i].b);
    printf("\n");
    return 0;
}
