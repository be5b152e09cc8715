//! verdict: unknown(a call of read, which has no body)
//! decided-by: auto
// A function without a body whose type is not that of the library's function of its name is the user's own.
#include <assert.h>
extern int read(void);

int main(void) {
    int n = read();
    assert(n >= -1);
    return 0;
}
