//! verdict: true
//! decided-by: folds
// The sum of an array of any length does not change when elements are swapped and rotated.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int n, int x[n]) {
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum + x[i];
    return sum;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2)
        return 0;
    int x[n];
    for (int i = 0; i < n; i++)
        x[i] = __VERIFIER_nondet_int();
    int before = sum(n, x);
    int first = x[0];
    x[0] = x[1];
    x[1] = first;
    int swapped = sum(n, x);
    first = x[0];
    for (int i = 0; i < n - 1; i++)
        x[i] = x[i + 1];
    x[n - 1] = first;
    if (before != swapped || before != sum(n, x))
        reach_error();
    return 0;
}
