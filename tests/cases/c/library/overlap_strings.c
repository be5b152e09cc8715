//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>

int main(void) {
    char a[16] = "abcdefgh";
    strcpy(a, a + 2);
    return a[0];
}
