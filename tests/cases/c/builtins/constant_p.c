//! run: 1 1
//! run: 5 used
// Literals are constants for the compiler; __builtin_choose_expr picks one of two.
#include <stdio.h>

int main(void) {
    printf("%d %d\n", __builtin_constant_p(3), __builtin_constant_p("abc"));
    printf("%d %s\n", __builtin_choose_expr(1, 5, "unused"), __builtin_choose_expr(0, 5, "used"));
    return 0;
}
