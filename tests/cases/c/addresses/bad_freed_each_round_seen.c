//! verdict: false(unreach-call)
//! decided-by: auto
//! model: ilp32
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    uintptr_t last = 0;
    for (int i = 0; i < 5; i++) {
        char *p = malloc(1u << 30);
        last = (uintptr_t)p;
        if (p)
            free(p);
    }
    assert(last % 3 == 0);
}
