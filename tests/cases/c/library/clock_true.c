//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec a, b;
    if (clock_gettime(CLOCK_MONOTONIC, &a) != 0 || clock_gettime(CLOCK_MONOTONIC, &b) != 0)
        return 1;
    assert(a.tv_sec <= b.tv_sec);
    assert(b.tv_nsec >= 0 && b.tv_nsec < 1000000000);
}
