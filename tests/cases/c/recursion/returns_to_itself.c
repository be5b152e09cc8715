//! verdict: false(unreach-call)
// What an activation knew before a call, it knows after it; another may return something else.
extern void reach_error(void);

static int sum(int n) {
    if (n == 0)
        return 0;
    int rest = sum(n - 1);
    return n + rest;
}

int main(void) {
    if (sum(3) == 6)
        reach_error();
    return 0;
}
