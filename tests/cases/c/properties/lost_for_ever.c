//! property: valid-memtrack
//! verdict: unknown(unsupported: property valid-memtrack of a program that may run for ever)
// The memory is lost, and then the program does not end.
#include <stdlib.h>

int main(void) {
    int again = 1;
    char *p = malloc(4);
    p = 0;
    while (again)
        again = 2;
    free(p);
    return 0;
}
