//! run: 10 15 14
//! run: 31 ce
//! run: 206 1
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
    printf("%x ", atomic_fetch_xor(&a, 0xff));
    printf("%x\n", atomic_load(&a));
    printf("%d ", atomic_exchange(&a, 1));
    printf("%d\n", a);
    return 0;
}
