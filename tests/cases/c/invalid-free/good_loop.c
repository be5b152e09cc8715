//! property: valid-free
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 3; i++)
        free(malloc(i));
    return 0;
}
