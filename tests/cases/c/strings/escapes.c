//! run: 7 8 9 10 11 12 13 92 39 34 63 0 1 10 83 127 -1 -61 -87 0
//! run: 100% "quoted" \ back
// Escape sequences of every kind.
#include <stdio.h>

int main(void) {
    const char s[] = "\a\b\t\n\v\f\r\\\'\"\?\0\1\12\123\x7f\xff\u00e9";
    for (unsigned i = 0; i < sizeof s; i++)
        printf("%d ", s[i]);
    printf("\n");
    printf("100%% \"quoted\" \\ back\n");
    return 0;
}
