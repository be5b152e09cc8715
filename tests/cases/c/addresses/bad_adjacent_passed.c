//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
#include <stdint.h>
int eq(int *p, int *q) { return p == q; }
int main(void) { int a, b; uintptr_t u = (uintptr_t)&a;  assert(u % 4 == 0); assert(!eq(&a+1, &b));  }
