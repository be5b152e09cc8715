//! run: ok
// What is implementation-defined.
#include <stdio.h>

_Static_assert((char)-1 < 0, "char is signed");
_Static_assert(-1 >> 1 == -1, "right shifts are arithmetic");
_Static_assert((int)0xffffffffu == -1, "conversion wraps");
_Static_assert('\xff' == -1, "characters are signed");
_Static_assert(-7 / 2 == -3 && -7 % 2 == -1, "truncation");

int main(void) {
    printf("ok\n");
    return 0;
}
