//! verdict: true
// Objects lie where their types and attributes want them.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct __attribute__((aligned(32))) wide { char data; };
__attribute__((aligned(64))) char line[64];

int main(void)
{
    struct wide a;
    double b;
    int *c = malloc(sizeof *c);
    void *d = aligned_alloc(128, 256);
    assert((uintptr_t)&a % 32 == 0);
    assert((uintptr_t)line % 64 == 0);
    assert((uintptr_t)&b % _Alignof(double) == 0);
    assert((uintptr_t)c % 16 == 0);
    assert((uintptr_t)d % 128 == 0);
    return 0;
}
