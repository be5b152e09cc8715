//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
#include <stdint.h>
int x, y, z;
int main(void)
{
    uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y, c = (uintptr_t)&z;
    /* z may lie between x and y */
    assert(!(a < c && c < b));
}
