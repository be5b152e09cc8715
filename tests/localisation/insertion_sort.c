// Property: unreach-call
// Insertion sort; the result must be in order.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define N 4

static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int key = a[i];
        int j = i - 1;
        while (j > 0 && a[j] > key) { // FAULT: j >= 0
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = key;
    }
}

static int is_sorted(const int *a, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        if (a[i] > a[i + 1])
            return 0;
    }
    return 1;
}

int main(void)
{
    int a[N];
    for (int i = 0; i < N; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (a[i] < 0 || a[i] > 99)
            a[i] = 50;
    }
    sort(a, N);
    assert(is_sorted(a, N));
    return 0;
}
