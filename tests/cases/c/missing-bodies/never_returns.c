//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies pure
//! assuming: panic changes nothing and calls no function of the program and never returns
extern void reach_error(void);
extern void panic(int code) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);

static int checked(int level) {
    if (level > 100)
        panic(level);
    return level;
}

int main(void) {
    if (checked(__VERIFIER_nondet_int()) > 100)
        reach_error();
    return 0;
}
