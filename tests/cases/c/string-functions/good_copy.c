//! property: strings
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[2];
    strcpy(a, "a");
    return a[1];
}
