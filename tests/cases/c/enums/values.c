//! run: 0 1 10 11 -3 -2 21 22
// Enumerators count on from the last value given.
#include <stdio.h>

enum e { A, B, C = 10, D, E = -3, F, G = C + D, H };

int main(void) {
    printf("%d %d %d %d %d %d %d %d\n", A, B, C, D, E, F, G, H);
    return 0;
}
