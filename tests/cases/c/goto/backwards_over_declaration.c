//! run: 13 4
// A variable gets its initial value each time control passes its declaration.
#include <stdio.h>

int main(void) {
    int rounds = 0;
again:;
    int fresh = 10;
    fresh += rounds;
    if (++rounds < 4)
        goto again;
    printf("%d %d\n", fresh, rounds);
    return 0;
}
