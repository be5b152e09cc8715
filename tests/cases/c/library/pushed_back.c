//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdio.h>

int main(void) {
    int c = getc(stdin);
    if (c != EOF) {
        assert(ungetc(c, stdin) == c);
        assert(getc(stdin) == c);
    }
}
