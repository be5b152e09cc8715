//! run: 131073 1 2 7
//! run: -1 12
//! run: 5 2
// Members of anonymous structs and unions belong to the outer one.
#include <stdio.h>

struct s {
    int tag;
    union {
        int number;
        struct { short low, high; };
    };
    struct { int z; } named;
};

int main(void) {
    struct s s = {1, {0x20001}, {7}};
    printf("%d %d %d %d\n", s.number, s.low, s.high, s.named.z);
    s.high = -1;
    printf("%d %d\n", s.number >> 16, (int)sizeof s);
    struct s t = {.low = 5, .tag = 2};
    printf("%d %d\n", t.low, t.tag);
    return 0;
}
