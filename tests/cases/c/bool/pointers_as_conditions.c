//! run: 311 1 1
// Pointers, floats and characters as conditions.
#include <stdio.h>

int main(void) {
    int n = 0, *p = &n, *q = 0;
    double d = 0.1;
    char c = 0;
    if (p && !q && d && !c)
        n = 1;
    while (d) {
        d = 0;
        n += 10;
    }
    for (const char *s = "abc"; *s; s++)
        n += 100;
    printf("%d %d %d\n", n, p ? 1 : 2, !d);
    return 0;
}
