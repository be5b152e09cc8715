//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(fileno(stdin) == 0 && fileno(stderr) == 2);
    FILE *file = fopen("x", "r");
    if (file != 0)
        assert(fileno(file) == fileno(file) && fileno(file) >= 0);
}
