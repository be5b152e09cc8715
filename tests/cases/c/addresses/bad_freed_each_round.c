//! verdict: false(unreach-call)
//! decided-by: auto
//! model: ilp32
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    for (int i = 0; i < 5; i++) {
        char *p = malloc(1u << 30);
        if (p)
            free(p);
    }
    assert(0);
}
