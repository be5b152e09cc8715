//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <sys/wait.h>

int main(void) {
    int status;
    assert(wait(&status) != 0);
}
