//! run-ilp32: -2147483648 32767 4294967295
//! run-ilp32: 1 2 4 8
//! run-ilp32: 4 4
//! run-ilp32: 9223372036854775807 255
//! run-lp64: -2147483648 32767 4294967295
//! run-lp64: 1 2 4 8
//! run-lp64: 8 8
//! run-lp64: 9223372036854775807 255
// Constants and types of the standard headers.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
#include <stddef.h>
#include <inttypes.h>

int main(void) {
    printf("%d %d %u\n", INT_MIN, SHRT_MAX, UINT_MAX);
    printf("%d %d %d %d\n", (int)sizeof(int8_t), (int)sizeof(uint16_t), (int)sizeof(int32_t), (int)sizeof(uint64_t));
    printf("%d %d\n", (int)sizeof(size_t), (int)sizeof(ptrdiff_t));
    int64_t x = INT64_MAX;
    printf("%" PRId64 " %d\n", x, (int)UINT8_MAX);
    return 0;
}
