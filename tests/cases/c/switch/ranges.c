//! run: ddlln?
// GNU case ranges.
#include <stdio.h>

static char kind(int c) {
    switch (c) {
    case '0' ... '9': return 'd';
    case 'a' ... 'z':
    case 'A' ... 'Z': return 'l';
    case -5 ... -1: return 'n';
    default: return '?';
    }
}

int main(void) {
    printf("%c%c%c%c%c%c\n", kind('0'), kind('9'), kind('m'), kind('Z'), kind(-3), kind('_'));
    return 0;
}
