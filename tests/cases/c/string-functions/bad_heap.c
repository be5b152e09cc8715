//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(3);
    strcpy(p, "abc");
    free(p);
    return 0;
}
