//! verdict: true
//! decided-by: auto
//! with: inline_same.part.c
//! assuming: nothing
#include <assert.h>
#include "inline_same.h"
int main(void) {
    assert(limit() == 20);
    return 0;
}
