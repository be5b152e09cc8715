//! run: 1 310
// Nested, with names that hide each other.
#include <stdio.h>

int main(void) {
    int x = 1;
    int r = ({
        int x = 10;
        int inner = ({ int x = 100; x + ({ x * 2; }); });
        x + inner;
    });
    printf("%d %d\n", x, r);
    return 0;
}
