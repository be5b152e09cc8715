//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <unistd.h>

int main(void) {
    int result = execl("/bin/true", "true", (char *)0);
    assert(result == -1);
}
