//! verdict: true
//! decided-by: auto
//! model: lp64
// A file that is opened has a number that no open file has.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int a = open("a", O_RDONLY), b = open("b", O_RDONLY), ends[2];
    assert(a == -1 || a != b);
    if (pipe(ends) == 0)
        assert(ends[0] != ends[1] && ends[0] != a && ends[1] != b);
}
