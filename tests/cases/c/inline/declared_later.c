//! run: 21
// Used before it is defined.
#include <stdio.h>

static inline int later(int x);

int main(void) {
    printf("%d\n", later(20));
    return 0;
}

static inline int later(int x) { return x + 1; }
