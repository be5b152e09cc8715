//! run: 5 6 6 7
// A macro and a function of the same name: parentheses call the function.
#include <stdio.h>

static inline int max(int a, int b) { return a > b ? a : b; }
#define max(a, b) ((a) > (b) ? (a) : (b))

int main(void) {
    int i = 5, j = 5;
    int by_function = (max)(i++, 3);
    int by_macro = max(j++, 3);
    printf("%d %d %d %d\n", by_function, i, by_macro, j);
    return 0;
}
