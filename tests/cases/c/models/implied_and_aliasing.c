//! verdict: true
//! decided-by: predicate
//! arguments: --pointers-as dereferences --calls return-points
// The example of F-Soft's paper, Section 5.2: what p points to changes with q.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int m = 1, n = 2;
    int *q = &n;
    int **p = &q;
    if (__VERIFIER_nondet_int())
        q = &m;
    **p = 5;
    if (q == &m ? m != 5 || n != 2 : m != 1 || n != 5)
        reach_error();
    return 0;
}
