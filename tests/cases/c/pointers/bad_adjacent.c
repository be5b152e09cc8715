//! verdict: false(unreach-call)
//! decided-by: auto
/* An object may begin where another ends (C11 6.5.9p6). */
#include <assert.h>
int main(void)
{
    int x, y;
    assert(&x + 1 != &y);
}
