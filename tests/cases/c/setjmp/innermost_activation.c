//! verdict: true
//! decided-by: auto
//! model: lp64
// Each activation of a function has sites of its own.
#include <assert.h>
#include <setjmp.h>

static jmp_buf places[2];

static int f(int depth) {
    if (setjmp(places[depth]) != 0)
        return depth;
    if (depth == 0) {
        int inner = f(1);
        assert(inner == 1);
        longjmp(places[0], 1);
    }
    longjmp(places[1], 1);
}

int main(void) {
    assert(f(0) == 0);
}
