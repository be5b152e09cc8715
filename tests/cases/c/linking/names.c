//! verdict: true
//! decided-by: auto
//! with: shared.part.c
#include "shared.h"

#include <assert.h>
int counter;
static int hidden = 7;
static int helper(void) { return hidden; }
int twice(int value) { return 2 * value; }
__attribute__((weak)) int weak_or_strong(void) { return 1; }
int main(void) {
    assert(counter == 40 && table[2] == 3);
    counter = 1;
    assert(next() == 6 && next() == 7);
    assert(helper() == 7 && hidden == 7);
    assert(swapped(pairs).first == 2 && swapped(pairs).second == 1);
    assert(apply(twice, 21) == 42);
    assert(weak_or_strong() == 2);
    assert(length(cons(cons(0))) == 2);
    assert(half(9) == 4);
    return 0;
}
