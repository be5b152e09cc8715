//! run: 9 61
// A call as the argument of a call.
#include <stdio.h>

static int ack(int m, int n) {
    if (m == 0)
        return n + 1;
    return n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}

int main(void) {
    printf("%d %d\n", ack(2, 3), ack(3, 3));
    return 0;
}
