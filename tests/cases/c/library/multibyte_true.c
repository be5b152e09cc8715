//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

int main(void) {
    wchar_t wide[2] = {1, 1};
    assert(mbstowcs(wide, "a", 2) == 1);
    assert(wide[0] == 'a' && wide[1] == 0);
}
