//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec now;
    assert(clock_gettime(CLOCK_REALTIME, &now) == 0);
}
