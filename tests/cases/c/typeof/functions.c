//! run: 12 7
// typeof of functions declares functions and pointers to them.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static typeof(add) mul;
static int mul(int a, int b) { return a * b; }

int main(void) {
    typeof(add) *f = mul;
    typeof(&add) g = add;
    printf("%d %d\n", f(3, 4), g(3, 4));
    return 0;
}
