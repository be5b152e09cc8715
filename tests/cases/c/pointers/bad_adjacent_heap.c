//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
#include <stdlib.h>
int *end(int n) { int *p = malloc(n * sizeof *p); return p + n; }
int main(void) { int *e = end(3); int *q = malloc(4); assert(e != q); }
