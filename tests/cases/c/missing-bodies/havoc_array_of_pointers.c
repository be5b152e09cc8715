//! verdict: false(unreach-call)
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
extern void sort(char **, int);
int main(void) { char a[2]="a", b[2]="b"; char *v[2] = {a, b}; sort(v, 2); assert(v[0] == a); return 0; }
