//! run: 6 abcdef
//! run: abXY 0 1
//! run: llo lo
//! run: longer 0
//! run: in hay
// String functions of the library.
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[32] = "abc";
    strcat(buffer, "def");
    printf("%d %s\n", (int)strlen(buffer), buffer);
    strcpy(buffer + 2, "XY");
    printf("%s %d %d\n", buffer, strcmp(buffer, "abXY"), strcmp("a", "b") < 0);
    printf("%s %s\n", strchr("hello", 'l'), strrchr("hello", 'l'));
    strncpy(buffer, "longer text", 6);
    buffer[6] = 0;
    printf("%s %d\n", buffer, strncmp("abcd", "abxx", 2));
    printf("%s\n", strstr("needle in hay", "in"));
    return 0;
}
