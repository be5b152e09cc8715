//! verdict: false(unreach-call)
#include <assert.h>
#define N 200

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++)
        a[i] = 42;
    a[N / 2] = 41;
    for (int i = 0; i < N; i++)
        assert(a[i] == 42);
    return 0;
}
