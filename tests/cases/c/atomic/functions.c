//! run: 10 15 14
//! run: 31 31
//! run: 206 206
// The functions of stdatomic.h.
#include <stdio.h>
#include <stdatomic.h>

int main(void) {
    atomic_int a = 10;
    int x = atomic_fetch_add(&a, 5), y = atomic_fetch_sub(&a, 1);
    printf("%d %d %d\n", x, y, atomic_load(&a));
    atomic_store(&a, 0xf0);
    atomic_fetch_or(&a, 1);
    atomic_fetch_and(&a, 0x3f);
    printf("%x %x\n", atomic_fetch_xor(&a, 0xff), atomic_load(&a));
    printf("%d %d\n", atomic_exchange(&a, 1), a);
    return 0;
}
