//! verdict: true
//! decided-by: predicate
// A lock is taken and given back by every activation.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int locked;

static void work(int depth) {
    if (locked)
        reach_error();
    locked = 1;
    locked = 0;
    if (__VERIFIER_nondet_int())
        work(depth + 1);
    if (locked)
        reach_error();
}

int main(void) {
    work(0);
    return 0;
}
