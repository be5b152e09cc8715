//! run: 6 1 2
//! run: 13 0
// Enums take part in arithmetic like integers.
#include <stdio.h>

enum flags { READ = 1, WRITE = 2, EXEC = 4 };

int main(void) {
    enum flags f = READ | EXEC;
    f |= WRITE;
    f &= ~READ;
    printf("%d %d %d\n", f, f & WRITE ? 1 : 0, f ^ EXEC);
    f <<= 1;
    f++;
    printf("%d %d\n", f, -f < 0);
    return 0;
}
