//! run: 7 11 11 0 20
//! run: 20 1
//! run: 0
// The older builtins.
#include <stdio.h>

int main(void) {
    int x = 7;
    int a = __sync_fetch_and_add(&x, 3);
    int b = __sync_add_and_fetch(&x, 1);
    int c = __sync_val_compare_and_swap(&x, 11, 20);
    int d = __sync_bool_compare_and_swap(&x, 5, 6);
    printf("%d %d %d %d %d\n", a, b, c, d, x);
    printf("%d ", __sync_lock_test_and_set(&x, 1));
    printf("%d\n", x);
    __sync_lock_release(&x);
    __sync_synchronize();
    printf("%d\n", x);
    return 0;
}
