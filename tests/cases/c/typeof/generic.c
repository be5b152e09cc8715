//! run: char int unsigned double string other
//! run: 1
// _Generic chooses by type.
#include <stdio.h>

#define NAME(x) _Generic((x), char: "char", int: "int", unsigned: "unsigned", double: "double", char *: "string", \
                         default: "other")

int main(void) {
    char c = 0;
    short s = 0;
    printf("%s %s %s %s %s %s\n", NAME(c), NAME(c + c), NAME(1u), NAME(1.0), NAME("x"), NAME(s));
    printf("%d\n", _Generic(1.0f, float: 1, double: 2));
    return 0;
}
