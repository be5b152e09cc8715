//! run: 0 5 5
//! run: 1 5 9
// Compare and exchange tells what it found.
#include <stdio.h>
#include <stdatomic.h>

int main(void) {
    atomic_int a = 5;
    int expected = 4;
    _Bool first = atomic_compare_exchange_strong(&a, &expected, 9);
    printf("%d %d %d\n", first, expected, atomic_load(&a));
    _Bool second = atomic_compare_exchange_strong(&a, &expected, 9);
    printf("%d %d %d\n", second, expected, atomic_load(&a));
    return 0;
}
