//! run: 44 1 2.5
// __auto_type takes the type of the initialiser.
#include <stdio.h>

int main(void) {
    __auto_type c = (char)300;
    __auto_type d = 1.5;
    __auto_type p = &d;
    *p += 1;
    printf("%d %d %g\n", c, (int)sizeof c, d);
    return 0;
}
