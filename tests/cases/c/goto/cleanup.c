//! run: 0 -1 -1 -1 5 5
// The way errors are handled in C.
#include <stdio.h>

static int opened, closed;

static int work(int fail_at) {
    int result = -1;
    if (fail_at == 1)
        goto out;
    opened++;
    if (fail_at == 2)
        goto close_one;
    opened++;
    if (fail_at == 3)
        goto close_two;
    result = 0;
close_two:
    closed++;
close_one:
    closed++;
out:
    return result;
}

int main(void) {
    for (int i = 0; i < 4; i++)
        printf("%d ", work(i));
    printf("%d %d\n", opened, closed);
    return 0;
}
