//! verdict: false(unreach-call)
//! decided-by: auto
// It may write what it is given a pointer to.
#include <assert.h>
void measure(int *length, const char *text) __fathom_ensures(*length >= 0);
int main(void) {
    int length = -1;
    measure(&length, "abc");
    assert(length == -1 || length == 3);
    return 0;
}
