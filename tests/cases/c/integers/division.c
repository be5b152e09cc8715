//! run: 2 1 1
//! run: -2 -1 1
//! run: -2 1 1
//! run: 2 -1 1
//! run: 1431655763 0
//! run: -922337203685477580 -8
//! run: 1844674407370955161 5
//! run: -1073741824 0
//! run: 35 -1
// Division truncates towards zero and the remainder has the sign of the dividend.
#include <stdio.h>
#include <limits.h>

int main(void) {
    int signs[4][2] = {{7, 3}, {-7, 3}, {7, -3}, {-7, -3}};
    for (int i = 0; i < 4; i++) {
        int a = signs[i][0], b = signs[i][1];
        printf("%d %d %d\n", a / b, a % b, (a / b) * b + a % b == a);
    }
    printf("%u %u\n", -7u / 3u, -7u % 3u);
    printf("%lld %lld\n", LLONG_MIN / 10, LLONG_MIN % 10);
    printf("%llu %llu\n", ULLONG_MAX / 10, ULLONG_MAX % 10);
    printf("%d %d\n", INT_MIN / 2, INT_MIN % 2);
    unsigned char a = 250;
    a /= 7;
    short s = -100;
    s %= 9;
    printf("%d %d\n", a, s);
    return 0;
}
