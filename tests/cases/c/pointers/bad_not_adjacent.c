//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
int a[4], b[4];
int main(void)
{
    assert(a + 4 == b);
}
