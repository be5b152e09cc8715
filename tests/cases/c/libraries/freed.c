//! verdict: true
//! property: valid-free
//! decided-by: auto
//! arguments: --entry f
// What a function is given may be what malloc made.
#include <stdlib.h>
void f(int *p) {
    free(p);
}
