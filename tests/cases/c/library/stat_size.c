//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <sys/stat.h>

int main(void) {
    struct stat s;
    if (stat("file", &s) == 0)
        assert(s.st_size >= 0);
}
