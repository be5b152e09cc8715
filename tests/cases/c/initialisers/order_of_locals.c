//! run: 1 3 3 3 1 4
// An initialiser may use variables declared before it.
#include <stdio.h>

static int calls;
static int next(void) { return ++calls; }

int main(void) {
    int a = next(), b = a + next(), c[] = {a, b, next()};
    struct { int x, y; } s = {.y = a, .x = b};
    int self = sizeof self;
    printf("%d %d %d %d %d %d\n", a, b, c[2], s.x, s.y, self);
    return 0;
}
