//! run: 208 298
// The initialiser is not evaluated again.
#include <stdio.h>

static int f(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        static int s = 5;
        int l = 5;
        s += i;
        l += i;
        sum += s * 10 + l;
    }
    return sum;
}

int main(void) {
    int a = f(), b = f();
    printf("%d %d\n", a, b);
    return 0;
}
