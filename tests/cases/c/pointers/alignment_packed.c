//! verdict: false(unreach-call)
// Nothing wants a packed struct to lie at a multiple of four.
#include <assert.h>
#include <stdint.h>

struct __attribute__((packed)) record { char kind; int value; };
struct record global;

int main(void)
{
    assert((uintptr_t)&global % 4 == 0);
    return 0;
}
