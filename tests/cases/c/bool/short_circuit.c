//! run: 1 0 0 1 34
// The right operand is evaluated only if it matters.
#include <stdio.h>

static int calls;
static int yes(void) { calls++; return 5; }
static int no(void) { calls += 10; return 0; }

int main(void) {
    int a = yes() || yes();
    int b = no() && yes();
    int c = no() || yes() && no();
    int d = (yes() && yes()) == 1;
    printf("%d %d %d %d %d\n", a, b, c, d, calls);
    return 0;
}
