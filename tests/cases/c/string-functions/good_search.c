//! property: strings
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char *p = strchr("a", 98);
    return p == 0;
}
