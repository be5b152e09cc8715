//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct s { int a, b; };

int main(void) {
    struct s s;
    s.a = 1;
    return s.b;
}
