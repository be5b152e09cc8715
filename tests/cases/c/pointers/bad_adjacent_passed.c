//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
int eq(int *p, int *q) { return p == q; }
int main(void) { int a, b; assert(!eq(&a + 1, &b)); }
