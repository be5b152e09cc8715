//! run: 1 2 3
// A macro can be removed and defined anew.
#include <stdio.h>

#define N 1
enum { FIRST = N };
#undef N
#define N 2
enum { SECOND = N };
#undef N
#undef NEVER_DEFINED
#ifndef N
#define N 3
#endif

int main(void) {
    printf("%d %d %d\n", FIRST, SECOND, N);
    return 0;
}
