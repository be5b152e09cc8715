//! run: 2 16 2
//! run: 4 4 4
//! run: 6 6
// Pointers step by the size of what they point to.
#include <stdio.h>

int main(void) {
    double d[4] = {1, 2, 3, 4};
    short s[6] = {1, 2, 3, 4, 5, 6};
    double *p = d + 3, *q = &d[1];
    printf("%d %d %g\n", (int)(p - q), (int)((char *)p - (char *)q), p[-2]);
    short *t = s;
    t += 4;
    t -= 1;
    printf("%d ", *t++);
    printf("%d ", *--t);
    printf("%d\n", *t);
    printf("%d %d\n", (int)(&s[6] - s), *(s + 5));
    return 0;
}
