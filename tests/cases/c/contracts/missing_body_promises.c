//! verdict: true
//! decided-by: auto
//! assuming: random_below keeps its contract
#include <assert.h>
int random_below(int n)
    __fathom_requires(n > 0)
    __fathom_ensures(0 <= __fathom_result && __fathom_result < n);
int main(void) {
    int table[10] = { 0 };
    assert(random_below(10) < 10);
    return table[random_below(10)];
}
