//! verdict: true
//! decided-by: auto
//! assuming: operands are evaluated in gcc's order: tests/cases/c/evaluation-order/call_writes_operand.c:13:13 (one writes what another reads: `g`)
#include <assert.h>
static int g = 1;

static int f(void) {
    g = 5;
    return 1;
}

int main(void) {
    int x = g + f();
    assert(x == 2 || x == 6);
    return 0;
}
