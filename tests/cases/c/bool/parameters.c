//! run: 1 0 2
// Arguments and results are converted.
#include <stdio.h>
#include <stdbool.h>

static bool odd(int n) { return n & 1 ? n : 0; }
static int count(bool a, bool b) { return a + b; }

int main(void) {
    printf("%d %d %d\n", odd(7), odd(8), count(100, 0.1));
    return 0;
}
