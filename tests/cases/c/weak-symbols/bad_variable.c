//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
extern int w __attribute__((weak));
int main(void)
{
    assert(&w != 0);
}
