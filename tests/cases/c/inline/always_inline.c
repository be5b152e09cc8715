//! run: 0 0 5 9 9
// The attribute changes nothing about the meaning.
#include <stdio.h>

static inline __attribute__((always_inline)) int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

int main(void) {
    for (int i = -5; i <= 15; i += 5)
        printf("%d ", clamp(i, 0, 9));
    printf("\n");
    return 0;
}
