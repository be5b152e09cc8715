//! run: 1 1 0 1
// States as labels.
#include <stdio.h>

static int ends_in_ab(const char *s) {
start:
    switch (*s++) {
    case 'a': goto seen_a;
    case 0: return 0;
    default: goto start;
    }
seen_a:
    switch (*s++) {
    case 'a': goto seen_a;
    case 'b': goto seen_ab;
    case 0: return 0;
    default: goto start;
    }
seen_ab:
    if (!*s)
        return 1;
    goto start;
}

int main(void) {
    printf("%d %d %d %d\n", ends_in_ab("ab"), ends_in_ab("aab"), ends_in_ab("aba"), ends_in_ab("bbab"));
    return 0;
}
