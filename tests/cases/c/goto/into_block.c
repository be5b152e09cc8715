//! run: 3 203
// Jumping into a block skips its initialisers.
#include <stdio.h>

int main(void) {
    int n = 0, r = 0;
    goto inside;
    while (n < 3) {
        r += 100;
    inside:
        r++;
        n++;
    }
    printf("%d %d\n", n, r);
    return 0;
}
