//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! model: lp64
// All bytes may be read, also behind the first difference.
#include <string.h>

int main(void) {
    char a[4] = "abc", b[8] = "xyz";
    return memcmp(a, b, 8) == 0;
}
