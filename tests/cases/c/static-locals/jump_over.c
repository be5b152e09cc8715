//! run: 6
// A jump past its declaration does not change a static.
#include <stdio.h>

static int f(int skip) {
    if (skip)
        goto after;
    {
        static int n = 3;
    after:
        n += 1;
        return n;
    }
}

int main(void) {
    f(1);
    f(0);
    printf("%d\n", f(1));
    return 0;
}
