//! property: valid-free
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    char *p = malloc(4);
    p++;
    p--;
    free(p);
    return 0;
}
