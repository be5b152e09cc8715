//! verdict: true
//! decided-by: auto
#include <assert.h>
int below(int *p, int *q) { return p < q; }
int main(void) { int a, b; assert(below(&a, &b) == !below(&b, &a)); assert(!below(&a,&a)); int c[4]; assert(below(c, c+4)); int n=0; for (int *p=c; p<c+4; p++) n++; assert(n==4); }
