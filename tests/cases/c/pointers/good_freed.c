//! verdict: true
//! decided-by: auto
#include <assert.h>
#include <stdlib.h>
int main(void) { int *p = malloc(4), *q = malloc(4); free(p);  assert(p != q); int *r = malloc(4); assert(r != q); free(q); free(r); }
