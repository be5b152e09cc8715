//! run: 6 6 3
//! run: e z 0 0
//! run: e c
//! run: jello hello
// Literals are arrays of char with a zero at their end.
#include <stdio.h>

int main(void) {
    const char *p = "hello";
    char a[] = "hello", b[3] = "xyz", c[10] = "ab";
    printf("%d %d %d\n", (int)sizeof "hello", (int)sizeof a, (int)sizeof b);
    printf("%c %c %d %d\n", p[1], b[2], a[5], c[9]);
    printf("%c %c\n", "literal"[3], *("abc" + 2));
    a[0] = 'j';
    printf("%s %s\n", a, p);
    return 0;
}
