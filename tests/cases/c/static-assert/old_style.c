//! run: 1
// The trick with an array of negative length, in its true form.
#include <stdio.h>

#define CHECK(c) ((void)sizeof(char[1 - 2 * !(c)]))
typedef char int_is_four_bytes[sizeof(int) == 4 ? 1 : -1];

int main(void) {
    CHECK(sizeof(long long) > sizeof(short));
    printf("%d\n", (int)sizeof(int_is_four_bytes));
    return 0;
}
