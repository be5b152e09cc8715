//! run: 25 27 8
// static inline functions are functions.
#include <stdio.h>

static inline int square(int x) { return x * x; }
static __inline__ int cube(int x) { return x * square(x); }
static __inline int twice(int x) { return 2 * x; }

int main(void) {
    printf("%d %d %d\n", square(5), cube(3), twice(4));
    return 0;
}
