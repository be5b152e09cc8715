//! run: -1 10 -2
// default may stand anywhere.
#include <stdio.h>

static int f(int n) {
    switch (n) {
    default: n = -1;
    case 0: n--; break;
    case 5: n *= 2;
    }
    return n;
}

int main(void) {
    printf("%d %d %d\n", f(0), f(5), f(9));
    return 0;
}
