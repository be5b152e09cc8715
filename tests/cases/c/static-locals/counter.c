//! run: 12
// A static local keeps its value between calls.
#include <stdio.h>

static int next(void) {
    static int n = 10;
    return n++;
}

int main(void) {
    next();
    next();
    printf("%d\n", next());
    return 0;
}
