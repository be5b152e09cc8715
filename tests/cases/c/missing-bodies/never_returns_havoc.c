//! verdict: true
//! decided-by: auto
//! arguments: --missing-bodies havoc
//! assuming: panic may write anything to the objects that it is given pointers to
extern void reach_error(void);
extern void panic(char *text) __attribute__((noreturn));
extern int __VERIFIER_nondet_int(void);

static int checked(int level) {
    char text[2] = "x";
    if (level > 100)
        panic(text);
    return level;
}

int main(void) {
    if (checked(__VERIFIER_nondet_int()) > 100)
        reach_error();
    return 0;
}
