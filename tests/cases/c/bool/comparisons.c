//! run: 2 0 1
//! run: 4 4
//! run: 0 1
// Comparisons and negations are ints of value 0 or 1.
#include <stdio.h>

int main(void) {
    int x = 5;
    printf("%d %d %d\n", (x > 3) + (x < 3) + (x == 5), !x, !!x);
    printf("%d %d\n", (int)sizeof(x > 3), (int)sizeof !x);
    printf("%d %d\n", 3 > 2 > 1, 1 == (2 == 2));
    return 0;
}
