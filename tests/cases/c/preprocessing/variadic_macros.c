//! run: 1 2
//! run: none
//! run: some
//! run: 3
// Macros with any number of arguments.
#include <stdio.h>

#define PRINT(format, ...) printf(format "\n", __VA_ARGS__)
#define MAYBE(format, ...) printf(format "\n", ##__VA_ARGS__)
#define COUNT(...) (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int))

int main(void) {
    PRINT("%d %d", 1, 2);
    MAYBE("none");
    MAYBE("%s", "some");
    printf("%d\n", COUNT(5, 6, 7));
    return 0;
}
