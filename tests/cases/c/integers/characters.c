//! run: -1 255 0
//! run: 97 10 65 0
//! run: 4 1
//! run: 92 39 34
//! run: 24930
//! run: xbI
//! run: ace
//! run: 60 27
// Character constants are ints; char is signed here.
#include <stdio.h>

int main(void) {
    char c = '\377';
    unsigned char u = '\377';
    printf("%d %d %d\n", c, u, c == u);
    printf("%d %d %d %d\n", 'a', '\n', '\x41', '\0');
    printf("%d %d\n", (int)sizeof('a'), (int)sizeof(char));
    printf("%d %d %d\n", '\\', '\'', '"');
    printf("%d\n", 'ab');
    printf("%c%c%c\n", 'x', 'a' + 1, 'Z' - 'A' + '0');
    for (char k = 'a'; k <= 'e'; k += 2)
        putchar(k);
    putchar('\n');
    printf("%d %d\n", '\a' + '\b' + '\t' + '\v' + '\f' + '\r', '\e');
    return 0;
}
