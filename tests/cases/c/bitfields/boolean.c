//! run: 1 1 3
//! run: 0 0 3 4
// Bit-fields of type _Bool hold truth values.
#include <stdio.h>

struct s {
    _Bool a : 1;
    _Bool b : 1;
    unsigned rest : 6;
};

int main(void) {
    struct s s = {0};
    s.a = 4;
    s.b = 0.5;
    s.rest = s.a + s.b + s.a;
    printf("%d %d %d\n", s.a, s.b, s.rest);
    s.a = !s.a;
    s.b = s.a;
    printf("%d %d %d %d\n", s.a, s.b, s.rest, (int)sizeof s);
    return 0;
}
