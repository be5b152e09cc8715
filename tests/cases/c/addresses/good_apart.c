//! verdict: true
//! decided-by: auto
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    int x, y;
    uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y;
    assert(a != b && a % 4 == 0);
    assert(a + 4 <= b || b + 4 <= a);
    char *p = malloc(8);
    if (p) {
        uintptr_t c = (uintptr_t)p;
        assert(c != a && c != b && c % 16 == 0);
        free(p);
    }
}
