//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
extern void measure(int *result);

int main(void) {
    int result = 5;
    measure(&result);
    assert(result != 5);
    return 0;
}
