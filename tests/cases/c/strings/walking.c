//! run: desserts 8 0
// Pointers walk along a string.
#include <stdio.h>

static int length(const char *s) {
    const char *p = s;
    while (*p)
        p++;
    return p - s;
}

static void reverse(char *s) {
    char *end = s + length(s) - 1;
    while (s < end) {
        char t = *s;
        *s++ = *end;
        *end-- = t;
    }
}

int main(void) {
    char word[] = "stressed", empty[] = "";
    reverse(word);
    reverse(empty);
    printf("%s %d %d\n", word, length(word), length(empty));
    return 0;
}
