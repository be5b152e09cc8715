//! run: 1 11 3100 3000
// Jumps between cases of a switch.
#include <stdio.h>

static int f(int n) {
    int r = 0;
    switch (n) {
    case 0:
    zero:
        r += 1;
        break;
    case 1:
        r += 10;
        goto zero;
    case 2:
        r += 100;
        goto three;
    three:
    case 3:
        r += 1000;
        if (r < 3000)
            goto three;
    }
    return r;
}

int main(void) {
    printf("%d %d %d %d\n", f(0), f(1), f(2), f(3));
    return 0;
}
