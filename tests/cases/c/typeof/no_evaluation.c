//! run: 1 5 8
// The expression is not evaluated.
#include <stdio.h>

int main(void) {
    int n = 1;
    typeof(n++) m = 5;
    int size = sizeof(n++) + sizeof(typeof(n--));
    printf("%d %d %d\n", n, m, size);
    return 0;
}
