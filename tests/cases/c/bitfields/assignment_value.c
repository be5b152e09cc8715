//! run: 4 -3 1 -3 2
//! run: 2 -2
// The value of an assignment to a bit-field is what the field then holds.
#include <stdio.h>

struct s {
    unsigned u : 3;
    int i : 3;
};

int main(void) {
    struct s s = {0, 0};
    int a = (s.u = 12);
    int b = (s.i = 5);
    int c = (s.u += 5);
    int d = s.i++;
    int e = ++s.u;
    printf("%d %d %d %d %d\n", a, b, c, d, e);
    printf("%u %d\n", s.u, s.i);
    return 0;
}
