//! run: 24
// Laws of logic hold for all small cases.
#include <stdio.h>

int main(void) {
    int holds = 0;
    for (int i = 0; i < 8; i++) {
        int a = i & 1, b = i >> 1 & 1, c = i >> 2;
        holds += (!(a && b) == (!a || !b)) + (!(a || b) == (!a && !b)) + ((a && (b || c)) == (a && b || a && c));
    }
    printf("%d\n", holds);
    return 0;
}
