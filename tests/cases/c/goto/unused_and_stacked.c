//! run: 3
// Several labels for one statement, and labels that nothing uses.
#include <stdio.h>

int main(void) {
    int n = 0;
one:
two:
three:
    n++;
    if (n == 1)
        goto two;
    if (n == 2)
        goto three;
unused:
    printf("%d\n", n);
    if (0)
        goto one;
    return 0;
}
