//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
struct node { struct node *next; int v; };
extern void visit(struct node *);
int main(void) { struct node a = {0, 1}, b = {&a, 2}, c = {&b, 3}; visit(&c); assert(a.v == 1); return 0; }
