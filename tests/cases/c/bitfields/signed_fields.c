//! run: 7 15 274877906944
//! run: -8 -1 -549755813888
//! run: -4 1
// Signed bit-fields are sign-extended when read.
#include <stdio.h>

struct s {
    signed int x : 4;
    int y : 5;
    long long z : 40;
};

int main(void) {
    struct s s = {7, 15, 1ll << 38};
    printf("%d %d %lld\n", s.x, s.y, (long long)s.z);
    s.x = 8;
    s.y = 31;
    s.z = 1ll << 39;
    printf("%d %d %lld\n", s.x, s.y, (long long)s.z);
    s.x >>= 1;
    s.y = -s.y;
    printf("%d %d\n", s.x, s.y);
    return 0;
}
