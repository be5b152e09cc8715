//! verdict: true
//! decided-by: auto
//! assuming: by_function_pointer.c:12:9 (one writes what another reads: `state`)
#include <assert.h>
static int state;

static int up(void) { return ++state; }
static int down(void) { return --state; }

int main(void) {
    int (*step)(void) = state ? down : up;
    int results[2] = {step(), up()};
    assert(results[0] + results[1] == 3);
    return 0;
}
