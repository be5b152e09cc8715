//! run: 5 311 3
// continue inside a switch belongs to the loop around it.
#include <stdio.h>

int main(void) {
    int vowels = 0, others = 0, spaces = 0;
    for (const char *p = "the quick brown fox"; *p; p++) {
        switch (*p) {
        case 'a': case 'e': case 'i': case 'o': case 'u':
            vowels++;
            continue;
        case ' ':
            spaces++;
            break;
        default:
            others++;
            continue;
        }
        others += 100;
    }
    printf("%d %d %d\n", vowels, others, spaces);
    return 0;
}
