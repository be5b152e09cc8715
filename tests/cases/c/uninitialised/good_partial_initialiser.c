//! property: uninitialised
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

struct s { int a, b; };

int main(void) {
    struct s s = {1};
    return s.b;
}
