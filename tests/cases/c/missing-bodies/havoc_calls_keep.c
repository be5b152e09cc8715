//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies havoc
// However often the function is called that is given, what it keeps up stays so.
#include <assert.h>
extern void on_event(void (*handler)(int));
static int state;
static int other = 1;
static void set(int to) { state = to ? 1 : 0; }

int main(void) {
    on_event(set);
    assert(state == 0 || state == 1);
    assert(other == 1);
    return 0;
}
