//! verdict: false(unreach-call)
//! decided-by: auto
// A function of the library that fits is the library's.
#include <assert.h>
extern char *index(const char *text, int c);

int main(void) {
    assert(index("abc", 'b') == 0);
    return 0;
}
