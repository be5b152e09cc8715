//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

int calls;

void first(void) {
    assert(calls == 1);
}

void second(void) {
    calls++;
}

int main(void) {
    atexit(first);
    atexit(second);
    exit(3);
}
