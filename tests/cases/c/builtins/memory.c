//! run: xxxxxxx xx 2 0
//! run: 5 0
// The library's functions by their builtin names.
#include <stdio.h>

int main(void) {
    char a[8], b[8];
    __builtin_memset(a, 'x', 7);
    a[7] = 0;
    __builtin_memcpy(b, a, 8);
    b[2] = 0;
    printf("%s %s %d %d\n", a, b, (int)__builtin_strlen(b), __builtin_strcmp(a, "xxxxxxx"));
    printf("%d %d\n", __builtin_abs(-5), __builtin_memcmp(a, b, 2));
    return 0;
}
