//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
int random_below(int n)
    __fathom_requires(n > 0)
    __fathom_ensures(0 <= __fathom_result && __fathom_result < n);
int main(void) {
    assert(random_below(10) < 9);
    return 0;
}
