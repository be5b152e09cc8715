//! verdict: true
//! decided-by: auto
//! model: lp64
// The child of a process has a number of its own.
#include <assert.h>
#include <unistd.h>

int main(void) {
    int number = getpid();
    int child = fork();
    assert((getpid() == number) == (child != 0));
}
