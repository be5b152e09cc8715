//! verdict: true
//! decided-by: auto
//! model: lp64
// What C fixes of results that it leaves open.
#include <assert.h>
#include <string.h>

int isalpha(int);

int main(void) {
    int less = strcmp("a", "b"), equal = memcmp("ab", "ac", 1), more = strncmp("az", "ab", 2);
    assert(less < 0 && equal == 0 && more > 0);
    assert(isalpha('x') && !isalpha('1'));
}
