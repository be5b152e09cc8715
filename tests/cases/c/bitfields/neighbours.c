//! run: 1 0 3 42 99999 0
//! run: 1 1 3 42 99999 1000
//! run: 1 2 3 42 99999 2000
//! run: 1 3 3 42 99999 3000
//! run: 1 0 3 42 99999 4000
//! run: 1 1 3 42 99999 5000
//! run: 1 2 3 42 99999 6000
//! run: 1 3 3 42 99999 7000
// Writing one bit-field leaves its neighbours alone.
#include <stdio.h>

struct s {
    unsigned char a : 3;
    unsigned char b : 2;
    unsigned char c : 3;
    int plain;
    unsigned d : 17;
    unsigned e : 15;
};

int main(void) {
    struct s s = {1, 2, 3, 42, 99999, 12345};
    for (unsigned i = 0; i < 8; i++) {
        s.b = i;
        s.e = i * 1000;
        printf("%u %u %u %d %u %u\n", s.a, s.b, s.c, s.plain, s.d, s.e);
    }
    return 0;
}
