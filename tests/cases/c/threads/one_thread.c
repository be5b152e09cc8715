//! verdict: true
//! decided-by: interleaving
// A program without threads goes the same way.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int locked = 0, before = 0, count = __VERIFIER_nondet_int();
    do {
        if (locked)
            reach_error();
        locked = 1;
        before = count;
        if (__VERIFIER_nondet_int()) {
            locked = 0;
            count = count + 1;
        }
    } while (before != count);
    if (!locked)
        reach_error();
    return 0;
}
