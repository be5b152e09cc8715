//! run: 5 56 100
// return, break and goto may leave the expression.
#include <stdio.h>

static int f(int n) {
    int x = 1 + ({ if (n > 2) return 100; n; });
    for (int i = 0;; i++)
        x += ({ if (i == 3) break; i; });
    x += ({ if (n == 1) goto out; 50; });
out:
    return x;
}

int main(void) {
    printf("%d %d %d\n", f(1), f(2), f(3));
    return 0;
}
