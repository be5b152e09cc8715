//! property: valid-memsafety
//! verdict: false(valid-deref)
//! decided-by: auto
#include <alloca.h>
extern int __VERIFIER_nondet_int(void);

static void sort(int *a, int n) {
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 1; j <= i + 1; j++) {
            if (a[j - 1] > a[j]) {
                int t = a[j - 1];
                a[j - 1] = a[j];
                a[j] = t;
            }
        }
    }
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000000) {
        n = 1;
    }
    int *a = alloca(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
    }
    sort(a, n);
    return 0;
}
