//! verdict: true
//! property: strings
//! decided-by: auto
#include <stdio.h>
int main(void) {
    char text[20] = "hello", other[20];
    snprintf(other, sizeof other, "%s!", text);
    snprintf(text + 8, 4, "%s", other);
    return 0;
}
