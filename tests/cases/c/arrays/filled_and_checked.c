//! verdict: true
//! decided-by: morphing
#include <assert.h>
#define N 100000

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[N], b[N];
    int more = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++)
        a[i] = 42;
    for (int i = N - 1; i >= 0; i--)
        b[i] = a[i] + more;
    for (int i = 0; i < N; i++)
        assert(b[i] == 42 + more);
    return 0;
}
