//! run: ok
// static_assert from the header.
#include <assert.h>
#include <limits.h>
#include <stdio.h>

static_assert(CHAR_BIT == 8, "bytes");
static_assert(INT_MAX == 2147483647, "int");
static_assert(UINT_MAX + 1u == 0, "wraps");
static_assert(LLONG_MIN < 0, "signed");

int main(void) {
    printf("ok\n");
    return 0;
}
