//! verdict: true
//! decided-by: auto
//! with: inline_differs.part.c
//! assuming: calls of limit use its definition at tests/cases/c/linking/inline_differs.part.c:1:5, not the inline definition at tests/cases/c/linking/inline_differs.c:8:12

// C11 6.7.4p7: which of the two definitions a call uses is unspecified.
#include <assert.h>
inline int limit(void) { return 10; }
int main(void) {
    assert(limit() == 20);
    return 0;
}
