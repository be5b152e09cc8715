//! run: n=1 n=2
// A static pointer and a static buffer.
#include <stdio.h>

static const char *label(int n) {
    static char buffer[8];
    static const char *prefix = "n=";
    char *p = buffer;
    for (const char *q = prefix; *q; q++)
        *p++ = *q;
    *p++ = '0' + n;
    *p = 0;
    return buffer;
}

int main(void) {
    const char *a = label(1);
    printf("%s ", a);
    label(2);
    printf("%s\n", a);
    return 0;
}
