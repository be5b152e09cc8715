//! verdict: true
//! decided-by: auto
//! with: good_linked.part.c
#include <assert.h>
extern int w __attribute__((weak));
extern int f(void) __attribute__((weak));
int main(void)
{
    assert(&w != 0 && f != 0);
    assert(f() == 7 && w == 3);
}
