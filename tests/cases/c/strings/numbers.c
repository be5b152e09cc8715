//! run: 0 7 -42 2147483647 -2147483648
//! run: 124 -5
// Numbers to text and back.
#include <stdio.h>
#include <stdlib.h>

static char *itoa10(int n, char *end) {
    int negative = n < 0;
    unsigned u = negative ? 0u - n : n;
    *--end = 0;
    do
        *--end = '0' + u % 10;
    while (u /= 10);
    if (negative)
        *--end = '-';
    return end;
}

int main(void) {
    char buffer[16];
    int samples[] = {0, 7, -42, 2147483647, -2147483647 - 1};
    for (int i = 0; i < 5; i++)
        printf("%s ", itoa10(samples[i], buffer + 16));
    printf("\n%d %d\n", atoi("123") + 1, atoi("-5x"));
    return 0;
}
