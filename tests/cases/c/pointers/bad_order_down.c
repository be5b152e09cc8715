//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
int below(int *p, int *q) { return p < q; }
int main(void) { int a, b; assert(!below(&a, &b)); }
