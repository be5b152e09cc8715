//! run: 8 4 9
// Ordinary operators on atomic variables.
#include <stdio.h>

int main(void) {
    _Atomic int a = 5;
    _Atomic(unsigned char) b = 250;
    a += 3;
    a++;
    b += 10;
    int old = a--;
    printf("%d %d %d\n", a, b, old);
    return 0;
}
