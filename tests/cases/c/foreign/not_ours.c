//! verdict: true
//! decided-by: predicate
// What comes from outside does not point to the program's own variables.
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);
extern int *theirs;

int main(void) {
    int x = 1, *p = &x;
    int *q = __VERIFIER_nondet_pointer();
    if (q)
        *q = 2;
    if (theirs)
        *theirs = 3;
    if (*p != 1)
        reach_error();
    return 0;
}
