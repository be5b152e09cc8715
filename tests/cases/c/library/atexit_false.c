//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdlib.h>

int calls;

void last(void) {
    assert(calls == 0);
}

int main(void) {
    atexit(last);
    calls = 1;
}
