//! verdict: true
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    unsigned char sum = a + b, back = sum - b;
    if (back != a)
        reach_error();
    return 0;
}
