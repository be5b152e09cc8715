//! verdict: false(unreach-call)
// To this reduction the order of elements matters.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int x[3];

static unsigned weighed(void) {
    unsigned sum = 0;
    for (int i = 0; i < 3; i++)
        sum = 2 * sum + (unsigned)x[i];
    return sum;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        x[i] = __VERIFIER_nondet_int();
    unsigned before = weighed();
    int first = x[0];
    x[0] = x[1];
    x[1] = first;
    if (before != weighed())
        reach_error();
    return 0;
}
