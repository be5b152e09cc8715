//! property: no-overflow
//! verdict: true
// What a procedure that calls itself returns depends on what its calls return.
extern int __VERIFIER_nondet_int(void);

static int count(int n) {
    if (n < 1) {
        return 0;
    }
    if (n == 1) {
        return 1;
    }
    return count(n - 1) + count(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 20) {
        return 0;
    }
    return count(n) < 0;
}
