//! run: -56 1 1099511627776 8
// The mode attribute chooses a width.
#include <stdio.h>

typedef int byte __attribute__((mode(QI)));
typedef unsigned int word64 __attribute__((mode(DI)));

int main(void) {
    byte b = 200;
    word64 w = 1;
    w <<= 40;
    printf("%d %d %llu %d\n", b, (int)sizeof b, (unsigned long long)w, (int)sizeof w);
    return 0;
}
