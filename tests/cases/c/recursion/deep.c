//! run: 500500 0
// A thousand open calls.
#include <stdio.h>

static long down(long n, long *lowest) {
    long here = n;
    if (n < *lowest)
        *lowest = n;
    return n == 0 ? 0 : here + down(n - 1, lowest);
}

int main(void) {
    long lowest = 5000, sum = down(1000, &lowest);
    printf("%ld %ld\n", sum, lowest);
    return 0;
}
