//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>

int main(void) {
    char a[16] = "abcdefgh";
    memmove(a, a + 2, 8);
    memcpy(a, a + 2, 4);
    return a[0];
}
