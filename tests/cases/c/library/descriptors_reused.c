//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int a = open("a", O_RDONLY), b;
    if (a == -1)
        return 1;
    close(a);
    b = open("b", O_RDONLY);
    assert(a != b);
}
