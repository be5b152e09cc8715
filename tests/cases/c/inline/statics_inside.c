//! run: 0 10 2
// A static variable of a static inline function is one object.
#include <stdio.h>

static inline int id(void) {
    static int next;
    return next++;
}

static int a(void) { return id(); }
static int b(void) { return id() * 10; }

int main(void) {
    int x = a(), y = b(), z = a();
    printf("%d %d %d\n", x, y, z);
    return 0;
}
