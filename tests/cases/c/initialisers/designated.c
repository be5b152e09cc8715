//! run: 1 0 3 4
//! run: 1 0 20 30 0 0 60 0
// Designators name members and elements; what follows counts on.
#include <stdio.h>

struct s { int a, b, c, d; };

int main(void) {
    struct s s = {.c = 3, 4, .a = 1};
    int a[8] = {[2] = 20, 30, [6] = 60, [0] = 1};
    printf("%d %d %d %d\n", s.a, s.b, s.c, s.d);
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
