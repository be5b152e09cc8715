//! verdict: true
//! decided-by: auto
//! model: lp64
// Processes do not share memory.
#include <assert.h>
#include <unistd.h>

int n;

int main(void) {
    int child = fork();
    n++;
    assert(n == 1 && child >= -1);
}
