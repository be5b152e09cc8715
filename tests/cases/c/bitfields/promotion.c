//! run: 1 0
//! run: -31
//! run: 1 0
//! run: -32
// A bit-field that fits int is promoted to int, even when it is unsigned.
#include <stdio.h>

struct s {
    unsigned narrow : 5;
    unsigned full : 32;
    unsigned long long wide : 33;
};

int main(void) {
    struct s s = {0, 0, 0};
    printf("%d %d\n", s.narrow - 1 < 0, s.full - 1 < 0);
    s.narrow = 31;
    s.wide = 1ull << 32;
    printf("%d\n", -s.narrow);
    printf("%d %llu\n", (s.wide << 1) == 0, (unsigned long long)(s.wide + s.wide));
    printf("%d\n", ~s.narrow);
    return 0;
}
