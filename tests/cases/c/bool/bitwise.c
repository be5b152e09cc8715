//! run: 0001 0110 0110 1101 0 1
// Bitwise operators on truth values.
#include <stdio.h>
#include <stdbool.h>

int main(void) {
    for (int i = 0; i < 4; i++) {
        bool a = i & 1, b = i & 2;
        printf("%d%d%d%d ", a & b, a | b, a ^ b, a == b);
    }
    bool x = true;
    x &= 2;
    bool y = false;
    y |= 2;
    printf("%d %d\n", x, y);
    return 0;
}
