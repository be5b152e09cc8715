//! run: 0 1 0
// A flag and a spin lock.
#include <stdio.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;

int main(void) {
    int was = atomic_flag_test_and_set(&lock);
    int now = atomic_flag_test_and_set(&lock);
    atomic_flag_clear(&lock);
    int again = atomic_flag_test_and_set(&lock);
    printf("%d %d %d\n", was, now, again);
    return 0;
}
