//! verdict: false(unreach-call)
//! decided-by: auto
// A variable that is defined nowhere has any value.
#include <assert.h>
extern int limit;
extern int table[];

int main(void) {
    assert(limit != 3 || table[5] != 8);
    return 0;
}
