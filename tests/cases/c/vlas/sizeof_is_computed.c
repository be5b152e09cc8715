//! run: 3 24
//! run: 10 11
// sizeof of a variable length array is evaluated at run time.
#include <stdio.h>

int main(void) {
    int n = 3;
    int a[n];
    n = 10;
    short b[n + 2];
    printf("%d %d\n", (int)(sizeof a / sizeof a[0]), (int)sizeof b);
    printf("%d ", (int)sizeof(char[n++]));
    printf("%d\n", n);
    return 0;
}
