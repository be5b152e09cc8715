//! run: prefix and more 4
//! run: AB01
// Adjacent literals are one.
#include <stdio.h>

#define PREFIX "pre"

int main(void) {
    const char *s = PREFIX "fix" " and "
                    "more";
    printf("%s %d\n", s, (int)sizeof("a" "b" "" "c"));
    printf("%s\n", "\x41" "B\60" "1");
    return 0;
}
