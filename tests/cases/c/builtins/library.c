//! run: 7 8 9
//! run: 1 0 1
//! run: Qw
//! run: 255 -12
// Functions of the library that return values.
#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>

int main(void) {
    printf("%d %ld %lld\n", abs(-7), labs(-8l), llabs(-9ll));
    printf("%d %d %d\n", isdigit('5') != 0, isalpha('5') != 0, isspace(' ') != 0);
    printf("%c%c\n", toupper('q'), tolower('W'));
    printf("%ld %ld\n", strtol("ff", 0, 16), strtol("-12rest", 0, 10));
    return 0;
}
