//! verdict: false(unreach-call)
// An element is written between the two sums, and another one is not moved back.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int x[4]) {
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += x[i];
    return sum;
}

int main(void) {
    int x[4];
    for (int i = 0; i < 4; i++)
        x[i] = __VERIFIER_nondet_int();
    int before = sum(x);
    int first = x[0];
    for (int i = 0; i < 3; i++)
        x[i] = x[i + 1];
    x[1] = first;
    if (before != sum(x))
        reach_error();
    return 0;
}
