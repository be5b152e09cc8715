//! run: 3429892390 193089584 1203181911
// A generator with static state.
#include <stdio.h>

static unsigned random_number(void) {
    static struct { unsigned x, y; } state = {123456789, 362436069};
    unsigned t = state.x ^ state.x << 11;
    state.x = state.y;
    state.y ^= state.y >> 19 ^ t ^ t >> 8;
    return state.y;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        printf("%u ", random_number());
    printf("\n");
    return 0;
}
