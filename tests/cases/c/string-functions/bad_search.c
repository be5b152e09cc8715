//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[2] = {120, 121};
    char *p = strchr(a, 98);
    return p == 0;
}
