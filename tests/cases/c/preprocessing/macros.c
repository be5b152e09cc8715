//! run: VALUE 42 16
//! run: "quoted \n" + 'c'
// Function-like macros, stringizing and pasting.
#include <stdio.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(a, b) a##b
#define VALUE 42
#define SQUARE(x) ((x) * (x))

int main(void) {
    int CAT(var, 1) = SQUARE(3 + 1);
    printf("%s %s %d\n", STR(VALUE), XSTR(VALUE), var1);
    printf("%s\n", STR("quoted \n" + 'c'));
    return 0;
}
