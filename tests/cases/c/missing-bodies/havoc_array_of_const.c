//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies havoc
#include <assert.h>
extern void sort(const char *const *, int);
int main(void) { char a[2]="a", b[2]="b"; const char *v[2] = {a, b}; sort(v, 2); assert(v[0] == a && b[0] == 'b'); return 0; }
