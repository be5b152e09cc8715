//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
struct s { int *p, *q; } g;
int main(void) { int a[3], b[3]; g.p = a + 3; g.q = b; assert(g.p != g.q); }
