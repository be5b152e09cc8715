//! run: 4294967297 8
// Enumerators that do not fit int make the enum wider.
#include <stdio.h>

enum big { SMALL = 1, LARGE = 0x100000000ll };

int main(void) {
    enum big b = LARGE;
    b += SMALL;
    printf("%lld %d\n", (long long)b, (int)sizeof b);
    return 0;
}
