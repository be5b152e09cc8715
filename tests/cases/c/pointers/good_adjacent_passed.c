//! verdict: true
//! decided-by: auto
#include <assert.h>
int eq(int *p, int *q) { return p == q; }
int a, b, c;
int main(void) { if (eq(&a + 1, &b)) assert(eq(&a + 1, &b) && !eq(&a+1,&c)); else assert(!eq(&a + 1, &b)); assert(!eq(&a, &b)); assert(!eq(&a+1, &a)); assert(!eq(&a, 0)); assert(!eq(&a+1,0)); }
