//! run: ok
// Assertions about sizes hold for both data models.
#include <stdio.h>

_Static_assert(sizeof(char) == 1, "char");
_Static_assert(sizeof(short) == 2 && sizeof(int) == 4, "short and int");
_Static_assert(sizeof(long) == sizeof(void *), "long is as wide as a pointer");
_Static_assert(sizeof(long long) == 8, "long long");

int main(void) {
    printf("ok\n");
    return 0;
}
