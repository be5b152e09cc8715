//! verdict: false(unreach-call)
//! decided-by: induction
//! arguments: --calls return-points --no-execution
// The violation is behind five activations; the bound rises until it is found.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int sum(int n) {
    if (n <= 0)
        return 0;
    int rest = sum(n - 1);
    return rest + n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 4)
        return 0;
    if (sum(n) == 10)
        reach_error();
    return 0;
}
