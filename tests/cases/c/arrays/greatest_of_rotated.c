//! verdict: true
//! decided-by: folds
// Reductions that are no sums: their results are functions of the multiset of elements.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
#define N 50000

static int x[N];

static int greatest(void) {
    int greatest = x[0];
    for (int i = 1; i < N; i++)
        greatest = greatest < x[i] ? x[i] : greatest;
    return greatest;
}

static int common_bits(void) {
    int bits = -1;
    for (int i = 0; i < N; i++)
        bits &= x[i];
    return bits;
}

int main(void) {
    for (int i = 0; i < N; i++)
        x[i] = __VERIFIER_nondet_int();
    int most = greatest();
    int bits = common_bits();
    int first = x[0];
    for (int i = 0; i < N - 1; i++)
        x[i] = x[i + 1];
    x[N - 1] = first;
    if (most != greatest() || bits != common_bits())
        reach_error();
    return 0;
}
