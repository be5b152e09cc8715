//! verdict: false(uninitialised)
//! decided-by: auto
//! model: lp64
//! property: uninitialised
#include <setjmp.h>

static jmp_buf place;

int main(void) {
    int count = 0;
    if (setjmp(place) == 0) {
        count = 1;
        longjmp(place, 1);
    }
    return count;
}
