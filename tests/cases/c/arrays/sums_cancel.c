//! verdict: true
//! decided-by: folds
// What is added is taken away again, and bits are toggled twice.
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

int main(void) {
    short n = __VERIFIER_nondet_short();
    if (n <= 0)
        return 0;
    short a[n];
    long long sum = 0;
    int bits = 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_short();
    for (int i = 0; i < n; i++)
        sum = sum + a[i];
    for (int i = 0; i < n; i++)
        bits = bits ^ a[i];
    for (int i = 0; i < n; i++)
        sum = sum - a[i];
    for (int i = 0; i < n; i++)
        bits = bits ^ a[i];
    if (sum != 0 || bits != 0)
        reach_error();
    return 0;
}
