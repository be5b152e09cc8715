//! run: 2 2 2.5 1.5
//! run: 1
// void pointers carry any object.
#include <stdio.h>

static void swap(void *a, void *b, unsigned n) {
    char *x = a, *y = b;
    while (n--) {
        char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

int main(void) {
    int i = 1, j = 2;
    double d = 1.5, e = 2.5;
    swap(&i, &j, sizeof i);
    swap(&d, &e, sizeof d);
    void *p = &i;
    printf("%d %d %g %g\n", i, *(int *)p, d, e);
    p = p + 0;
    printf("%d\n", p == (void *)&i);
    return 0;
}
