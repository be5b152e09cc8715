//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
char x[4], y[4];
char *pick(int n) { return n ? x + 4 : y; }
int main(void) { char *a = pick(1), *b = pick(0); assert(a != b); }
