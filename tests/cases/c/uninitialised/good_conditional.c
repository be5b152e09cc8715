//! property: uninitialised
//! verdict: true
//! decided-by: auto
extern int __VERIFIER_nondet_int(void);

// Operands that are not evaluated are not read.
int main(void) {
    int set = __VERIFIER_nondet_int(), x;
    struct { int a, b; } s;
    if (set)
        x = s.b = 3;
    int a = set ? x : 0;
    int b = set && x;
    int c = !set || s.b == 3;
    if (set && x + s.b > 1)
        a++;
    return a + b + c;
}
