//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
#include <stdint.h>
uintptr_t place(void)
{
    int x = 0;
    return (uintptr_t)&x;
}
uintptr_t other(void)
{
    int y = 0;
    return (uintptr_t)&y;
}
int main(void)
{
    uintptr_t a = place(), b = other();
    assert(a != b);
}
