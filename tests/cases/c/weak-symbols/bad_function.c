//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
extern int f(void) __attribute__((weak));
int (*p)(void) = f;
int main(void)
{
    assert(p);
}
