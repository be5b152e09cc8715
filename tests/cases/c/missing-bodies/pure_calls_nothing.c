//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies pure
// It is assumed, and said, that the function that is given is not called.
#include <assert.h>
extern void on_event(void (*handler)(void));
static int events;
static void count(void) { events++; }

int main(void) {
    on_event(count);
    assert(events == 0);
    return 0;
}
