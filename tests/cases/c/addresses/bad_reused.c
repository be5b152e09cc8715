//! verdict: false(unreach-call)
//! decided-by: auto
/* An address may come back after the object there was freed. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    char *p = malloc(8);
    uintptr_t a = (uintptr_t)p;
    free(p);
    char *q = malloc(8);
    assert(a != (uintptr_t)q);
}
