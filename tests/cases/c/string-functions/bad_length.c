//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[4] = {65, 66, 67, 68};
    return strlen(a);
}
