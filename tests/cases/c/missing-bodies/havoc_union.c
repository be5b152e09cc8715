//! verdict: unknown(with pointers in a union)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
union u { char *p; long n; }; struct s { union u x; };
extern void f(struct s *);
int main(void) { struct s a = {{0}}; f(&a); assert(a.x.n == 0); return 0; }
