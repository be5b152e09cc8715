//! run: 1 11 23 44
// A loop with two entries.
#include <stdio.h>

static int f(int n) {
    int a = 0, b = 0;
    if (n % 2)
        goto second;
first:
    a++;
    if (--n <= 0)
        goto out;
second:
    b++;
    if (--n > 0)
        goto first;
out:
    return a * 10 + b;
}

int main(void) {
    printf("%d %d %d %d\n", f(1), f(2), f(5), f(8));
    return 0;
}
