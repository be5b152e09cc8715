//! run: 2 102 2002 1002
// Statics of one name in different functions and blocks are different.
#include <stdio.h>

static int f(void) { static int n; return ++n; }
static int g(void) { static int n = 100; return ++n; }
static int h(int which) {
    if (which) {
        static int n = 1000;
        return ++n;
    }
    static int n = 2000;
    return ++n;
}

int main(void) {
    f();
    g();
    h(0);
    h(1);
    printf("%d %d %d %d\n", f(), g(), h(0), h(1));
    return 0;
}
