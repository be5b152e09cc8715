//! run: 6 2 ab cd
//! run: [one][two][three]
// A literal may hold zeros; the library stops at the first.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char s[] = "ab\0cd";
    printf("%d %d %s %s\n", (int)sizeof s, (int)strlen(s), s, s + 3);
    const char *fields = "one\0two\0three\0";
    for (const char *p = fields; *p; p += strlen(p) + 1)
        printf("[%s]", p);
    printf("\n");
    return 0;
}
