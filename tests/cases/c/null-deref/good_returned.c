//! property: null-deref
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int table[2];

static int *find(int i) {
    return i == 0 || i == 1 ? &table[i] : 0;
}

int main(void) {
    int *p = find(__VERIFIER_nondet_int());
    return p ? *p : 0;
}
