//! run: ok
// The message may be left out.
#include <stdio.h>

_Static_assert(2 + 2 == 4);

int main(void) {
    _Static_assert(sizeof "abc" == 4);
    printf("ok\n");
    return 0;
}
