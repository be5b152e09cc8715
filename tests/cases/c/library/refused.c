//! verdict: unknown(unsupported: a call of mbstowcs)
//! model: lp64
// A function of the standard library that has no model is not taken to change nothing.
#include <assert.h>
#include <stdlib.h>

int main(void) {
    wchar_t wide[2] = {1, 1};
    mbstowcs(wide, "a", 2);
    assert(wide[0] == 1);
}
