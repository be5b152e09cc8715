//! verdict: false(unreach-call)
//! decided-by: auto
//! model: ilp32
/* Where no addresses are left, malloc gives null; the execution goes on. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    uintptr_t sum = 0;
    for (int i = 0; i < 5; i++)
        sum += (uintptr_t)malloc(1u << 30) / 16;
    assert(sum == 0);
}
