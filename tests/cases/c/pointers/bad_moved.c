//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
#include <stdlib.h>
int main(void) { int *p = malloc(4); int *q = realloc(p, 8); assert(p != q); }
