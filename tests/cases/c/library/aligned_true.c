//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(void) {
    char *a = valloc(10);
    assert(((uintptr_t)a & 4095) == 0);
    void *b = mmap(0, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b != MAP_FAILED)
        assert(((uintptr_t)b & 4095) == 0);
}
