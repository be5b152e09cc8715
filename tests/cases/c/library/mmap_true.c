//! property: valid-memsafety
//! verdict: true
//! decided-by: auto
//! model: lp64
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void) {
    char *p = mmap(0, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    p[99] = 1;
    return munmap(p, 100);
}
