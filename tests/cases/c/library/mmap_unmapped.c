//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void) {
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    p[4095] = 1;
    munmap(p, 4096);
    p[0] = 1;
}
