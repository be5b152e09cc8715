//! run: 1 0 1
//! run: 1 0
// Types compared by the compiler.
#include <stdio.h>

int main(void) {
    int i = 0;
    long l = 0;
    printf("%d %d %d\n", __builtin_types_compatible_p(typeof(i), int), __builtin_types_compatible_p(typeof(l), int),
           __builtin_types_compatible_p(typeof(i + l), long));
    printf("%d %d\n", __builtin_types_compatible_p(const int, int), __builtin_types_compatible_p(int *, int[]));
    return 0;
}
