//! verdict: true
//! decided-by: auto
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 1000)
        x = 1000;
    if (x > 1000)
        reach_error();
    return 0;
}
