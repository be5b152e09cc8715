//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
struct n { struct n *next; int v; };
extern struct n *last(struct n *);
int main(void) { struct n a={0,1}, b={&a,2}; struct n *l = last(&b); if (!l) return 0; assert(l != &a); return 0; }
