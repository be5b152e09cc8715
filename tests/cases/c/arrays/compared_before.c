//! verdict: true
//! decided-by: morphing
#include <assert.h>
#define N 100000

int equal(const int *a, const int *b) {
    for (int i = 0; i < N; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

int main(void) {
    int a[N], b[N];
    if (equal(a, b))
        for (int i = 0; i < N; i++)
            assert(a[i] == b[i]);
    return 0;
}
