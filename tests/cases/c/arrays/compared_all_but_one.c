//! verdict: false(unreach-call)
#include <assert.h>
#define N 50

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    for (int i = 1; i < N; i++)
        if (a[i] != b[i])
            return 0;
    for (int i = 0; i < N; i++)
        assert(a[i] == b[i]);
    return 0;
}
