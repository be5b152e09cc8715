//! verdict: false(unreach-call)
//! model: lp64
//! decided-by: auto
//! arguments: --entry f
// What a pointer argument points to is aligned as its type asks, no more.
extern void reach_error(void);
int f(int*p){ if (p && ((unsigned long)p & 7)) reach_error(); return 0;}
