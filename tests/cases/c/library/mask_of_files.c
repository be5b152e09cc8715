//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <sys/stat.h>

int main(void) {
    umask(022);
    assert(umask(0) == 022);
    assert(umask(0) == 0);
}
