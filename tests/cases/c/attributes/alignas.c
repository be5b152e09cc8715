//! run: 16 8
//! run: 0 2
// _Alignas and _Alignof.
#include <stdio.h>
#include <stdalign.h>

struct s { char c; alignas(8) char d; };

int main(void) {
    alignas(16) char a[3];
    printf("%d %d\n", (int)sizeof(struct s), (int)_Alignof(struct s));
    printf("%d %d\n", (int)((unsigned long)a % 16), (int)alignof(short));
    return 0;
}
