//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
// The function that is given is called any number of times.
#include <assert.h>
extern void on_event(void (*handler)(void));
static int events;
static void count(void) { events++; }

int main(void) {
    on_event(count);
    assert(events != 2);
    return 0;
}
