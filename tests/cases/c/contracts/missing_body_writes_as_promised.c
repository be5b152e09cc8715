//! verdict: true
//! decided-by: auto
//! assuming: measure keeps its contract and writes to nothing but the objects that it is given pointers to
#include <assert.h>
void measure(int *length, const char *text) __fathom_ensures(*length >= 0);
int main(void) {
    int length = -1;
    measure(&length, "abc");
    assert(length >= 0);
    return 0;
}
