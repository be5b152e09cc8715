//! verdict: true
//! decided-by: auto
/* A copy of a NaN keeps its bits. */
#include <assert.h>
#include <string.h>
union bits { float f; unsigned u; };
int main(void)
{
    union bits a;
    a.u = 0x7fc00123u;
    float g = a.f;
    unsigned v;
    memcpy(&v, &g, 4);
    assert(v == 0x7fc00123u);
}
