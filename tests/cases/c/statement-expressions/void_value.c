//! run: 11
// An expression that ends with a statement has no value.
#include <stdio.h>

int main(void) {
    int n = 1;
    ({ n += 2; if (n) n *= 3; });
    ({ });
    (void)({ n++; n; });
    n > 5 ? ({ n = n + 1; (void)0; }) : (void)0;
    printf("%d\n", n);
    return 0;
}
