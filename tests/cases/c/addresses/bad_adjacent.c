//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
#include <stdint.h>
int main(void)
{
    int x, y;
    assert((uintptr_t)&x + 4 != (uintptr_t)&y);
}
