//! run: 2
// Attributes that only silence warnings.
#include <stdio.h>

static int f(int a __attribute__((unused)), int b) { return b; }
__attribute__((unused)) static void nothing(void) {}

int main(void) {
    int x __attribute__((unused)) = 3;
    printf("%d\n", f(1, 2));
    return 0;
}
