//! verdict: true
//! decided-by: auto
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int eq(char *p, char *q) { return p == q; }
int main(void) { char *p = malloc(8); uintptr_t u = (uintptr_t)p;  assert(u % 4 == 0); char *q = malloc(8); assert(!eq(p, q)); char x; assert(!eq(p,&x)); assert(eq(p+1,p+1)); free(p); free(q); }
