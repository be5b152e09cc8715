//! property: strings
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <string.h>

int main(void) {
    char a[16] = "abcd";
    strcpy(a + 5, a);
    memcpy(a, a + 2, 2);
    memmove(a, a + 1, 8);
    strcat(a, "x");
    return a[0];
}
