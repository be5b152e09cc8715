//! verdict: false(strings)
//! property: strings
//! decided-by: auto
// C11 7.21.6.7: copying between objects that overlap is undefined.
#include <stdio.h>
int main(void) {
    char text[20] = "12 34";
    return sscanf(text, "%s", text);
}
