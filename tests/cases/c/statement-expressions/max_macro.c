//! run: 7 4 6 9
//! run: 2
// Each argument is evaluated once.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

int main(void) {
    int i = 3, j = 7;
    int m = MAX(i++, j--);
    printf("%d %d %d %d\n", m, i, j, MAX(MAX(1, 9), 4));
    printf("%g\n", MAX(1.5, 2));
    return 0;
}
