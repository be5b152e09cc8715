//! verdict: unknown(unsupported: a call of tsearch)
//! model: lp64
// A function of the standard library that has no model is not taken to change nothing.
#include <assert.h>
#include <search.h>

int compare(const void *a, const void *b) {
    return 0;
}

int main(void) {
    void *root = 0;
    tsearch("a", &root, compare);
    assert(root == 0);
}
