//! run: ok
// Alignments as constants.
#include <stdio.h>

_Static_assert(_Alignof(char) == 1 && _Alignof(short) == 2 && _Alignof(int) == 4, "basic");
_Static_assert(_Alignof(struct { char c; short s; }) == 2, "struct");
_Static_assert(_Alignof(int[7]) == 4, "array");

int main(void) {
    printf("ok\n");
    return 0;
}
