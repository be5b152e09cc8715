//! run: def d
//! run: 3 10 1
// Pointers to pointers change where others point.
#include <stdio.h>

static void advance(const char **p, int n) { *p += n; }

static void longest(int **best, int *a, int *b) { *best = *a > *b ? a : b; }

int main(void) {
    const char *s = "abcdef";
    advance(&s, 2);
    const char **pp = &s;
    (*pp)++;
    printf("%s %c\n", s, **pp);
    int x = 3, y = 4, *p, **q = &p, ***r = &q;
    longest(q, &x, &y);
    ***r = 10;
    *r = &p;
    printf("%d %d %d\n", x, y, p == &y);
    return 0;
}
