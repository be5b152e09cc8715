//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
struct ops { void (*call)(int); };
extern void use(struct ops *);
int g; static void set(int x) { g = x; }
int main(void) { struct ops o = { set }; use(&o); assert(g == 0); return 0; }
