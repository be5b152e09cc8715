//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// Any number but zero says that a character is a letter.
#include <assert.h>

int isalpha(int);

int main(void) {
    assert(isalpha('x') == 1);
}
