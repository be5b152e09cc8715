//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
// A function writes to what it is given a pointer to, or does not.
#include <assert.h>
extern int receive(unsigned char *buffer, unsigned size);

int main(void) {
    unsigned char buffer[4] = {0};
    receive(buffer, sizeof buffer);
    assert(buffer[2] != 9);
    return 0;
}
