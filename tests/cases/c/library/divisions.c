//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

int main(void) {
    div_t a = div(-7, 2);
    ldiv_t b = ldiv(7, -2);
    lldiv_t c = lldiv(9, 4);
    assert(a.quot == -3 && a.rem == -1 && b.quot == -3 && b.rem == 1 && c.quot == 2 && c.rem == 1);
}
