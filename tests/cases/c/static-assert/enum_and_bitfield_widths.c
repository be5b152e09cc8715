//! run: 15 5
// Constants as widths and bounds.
#include <stdio.h>

enum { BITS = 3, LIMIT = 1 << BITS };
struct s { unsigned field : BITS + 1; int a[LIMIT / 2]; };
_Static_assert(sizeof(struct s) == 4 + LIMIT / 2 * sizeof(int), "struct");

int main(void) {
    struct s s = {.field = LIMIT + 7, .a = {[LIMIT / 2 - 1] = 5}};
    printf("%d %d\n", s.field, s.a[3]);
    return 0;
}
