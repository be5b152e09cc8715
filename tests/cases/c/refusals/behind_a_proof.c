//! verdict: unknown(unsupported: a call of dlopen, tests/cases/c/refusals/behind_a_proof.c:17)
// What comes before the call is proved, and then nothing is left to look for.
extern void *dlopen(const char *, int);
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = 0, j = 0;
    if (n > 1000)
        n = 1000;
    while (i < n) {
        i++;
        j++;
    }
    if (i != j)
        reach_error();
    return dlopen("a.so", 1) == 0;
}
