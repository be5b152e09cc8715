//! verdict: true
//! decided-by: auto
#include <assert.h>
extern int w __attribute__((weak));
int *p = &w;
int main(void)
{
    assert(p == &w);
    if (p) {
        *p = 3;
        assert(w == 3);
    }
}
