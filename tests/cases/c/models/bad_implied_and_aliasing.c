//! verdict: false(unreach-call)
//! decided-by: predicate
//! arguments: --pointers-as dereferences --calls return-points --no-execution
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int m = 1, n = 2;
    int *q = &n;
    int **p = &q;
    if (__VERIFIER_nondet_int() == 77)
        q = &m;
    **p = 5;
    if (m == 5)
        reach_error();
    return 0;
}
