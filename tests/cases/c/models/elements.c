//! verdict: true
//! decided-by: predicate
//! arguments: --pointers-as addresses --calls return-points
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int a[4];

static void set(int *at, int value) { *at = value; }

int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 3)
        return 0;
    set(a + i, 7);
    set(&a[i + 1], 8);
    if (a[i] != 7 || a[i + 1] != 8 || a[0] + a[1] + a[2] + a[3] != 15)
        reach_error();
    return 0;
}
