//! run: 32 8 8
//! run: 0
// Alignment can be raised.
#include <stdio.h>

struct a { char c; int i __attribute__((aligned(16))); };
typedef int __attribute__((aligned(8))) wide;
struct b { char c; wide w; };

int main(void) {
    static char buffer[10] __attribute__((aligned(32)));
    printf("%d %d %d\n", (int)sizeof(struct a), (int)__builtin_offsetof(struct b, w), (int)_Alignof(wide));
    printf("%d\n", (int)((unsigned long)buffer % 32));
    return 0;
}
