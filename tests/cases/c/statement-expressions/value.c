//! run: 25 11
// The value is that of the last statement.
#include <stdio.h>

int main(void) {
    int x = ({ int a = 3; int b = 4; a * a + b * b; });
    int y = ({ x > 20 ? 1 : 2; }) + ({ 10; });
    printf("%d %d\n", x, y);
    return 0;
}
