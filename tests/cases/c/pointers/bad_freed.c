//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
#include <stdlib.h>
int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q); }
