//! verdict: true
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(!feof(stdin) && !ferror(stdin));
    int c = getchar();
    if (c == EOF) {
        assert(feof(stdin) || ferror(stdin));
        if (feof(stdin))
            assert(getchar() == EOF);
        clearerr(stdin);
    }
    assert(!feof(stdin) && !ferror(stdin));
}
