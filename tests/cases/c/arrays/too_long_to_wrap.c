//! verdict: true
//! decided-by: morphing
//! assuming: sizes of variable length arrays are within size_t
//! model: ilp32
// Elements of an array whose length is not known lie at different addresses, as the array fits into the address space.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        if (a[i] != i)
            reach_error();
    return 0;
}
