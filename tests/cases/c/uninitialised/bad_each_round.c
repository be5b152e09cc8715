//! property: uninitialised
//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 2; i++) {
        int x;
        if (i == 1)
            return x;
        x = i;
    }
    return 0;
}
