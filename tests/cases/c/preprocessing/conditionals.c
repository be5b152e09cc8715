//! run: 1 20
// Conditional inclusion.
#include <stdio.h>

#define A 3
#if A > 2 && defined(A) && !defined(B)
#define RESULT 1
#elif A
#define RESULT 2
#else
#error unreachable
#endif
#ifdef B
#error B
#endif
#if UNKNOWN_NAME
#error unknown names are zero
#endif
#if (A << 2) % 5 == 2 && -1 < 0u + 1 || 0
#define OTHER 10
#else
#define OTHER 20
#endif

int main(void) {
    printf("%d %d\n", RESULT, OTHER);
    return 0;
}
