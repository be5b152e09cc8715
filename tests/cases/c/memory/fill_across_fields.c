//! verdict: false(unreach-call)
// A fill that starts in an array and goes on in the field behind it changes that field.
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct s { unsigned char a[4]; unsigned h, n; };
static void clear(struct s *q, unsigned k){ memset(q->a + k, 1, 4); }
int main(void){ struct s s={{0},0,0}; unsigned k=__VERIFIER_nondet_uint()%3; clear(&s,k); assert(s.h==0); return 0; }
