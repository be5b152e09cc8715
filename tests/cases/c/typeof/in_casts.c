//! run: 255 1 12
// typeof in casts, sizeof and declarations of functions.
#include <stdio.h>

static unsigned char narrow(int x) { return (typeof(narrow(0)))x; }

int main(void) {
    unsigned char c = 0;
    int x = (typeof(c))(c - 1);
    printf("%d %d %d\n", x, narrow(513), (int)sizeof(typeof(x)[3]));
    return 0;
}
