//! run: small medium large 2 4
//! run: 2 9
// Conditionals nested, and with side effects.
#include <stdio.h>

static const char *size(int n) { return n < 10 ? "small" : n < 100 ? "medium" : "large"; }

int main(void) {
    int x = 0, y = 0;
    for (int i = 0; i < 4; i++)
        i % 2 ? x++ : (y += 2);
    printf("%s %s %s %d %d\n", size(5), size(50), size(500), x, y);
    printf("%d %d\n", x ?: 9, 0 ?: 9);
    return 0;
}
