//! run: 1 2 0
//! run: 1 2
//! run: 1 2
// The controlling expression is promoted; labels are converted to its type.
#include <stdio.h>

static int by_char(char c) {
    switch (c) {
    case 'a': return 1;
    case '\xff': return 2;
    }
    return 0;
}

static int by_unsigned(unsigned u) {
    switch (u) {
    case -1: return 1;
    case 0: return 2;
    }
    return 0;
}

static int by_long(long long l) {
    switch (l) {
    case 0x100000000ll: return 1;
    case 0: return 2;
    }
    return 0;
}

int main(void) {
    printf("%d %d %d\n", by_char('a'), by_char(-1), by_char('b'));
    printf("%d %d\n", by_unsigned(0xffffffff), by_unsigned(0));
    printf("%d %d\n", by_long(1ll << 32), by_long(0));
    return 0;
}
