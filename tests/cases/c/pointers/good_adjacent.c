//! verdict: true
//! decided-by: auto
#include <assert.h>
int a[4], b[4], *p;
int main(void)
{
    /* the answer stays the same */
    if (a + 4 == b)
        assert(b == a + 4);
    else
        assert(b != &a[4]);
    assert(a != b && a + 3 != b && a + 4 != b + 1);
    int n = 0;
    for (p = a; p != a + 4; p++)
        n++;
    assert(n == 4);
}
