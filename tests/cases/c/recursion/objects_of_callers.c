//! verdict: false(unreach-call)
// Every activation has its own variable, also where a pointer leads to the caller's.
extern void reach_error(void);

static void descend(int n, int *above) {
    int here = n;
    if (above && *above == n + 1 && n == 1)
        reach_error();
    if (n > 0)
        descend(n - 1, &here);
}

int main(void) {
    descend(2, 0);
    return 0;
}
