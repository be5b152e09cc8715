//! verdict: false(unreach-call)
// A pointer that was put outside can be found there again.
extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);

struct s {
    int *p;
    struct s *next;
};
extern struct s *theirs;

int main(void) {
    int x = 1;
    struct s *q = __VERIFIER_nondet_pointer();
    if (!q || !theirs)
        return 0;
    q->p = &x;
    *q->p = 2;
    if (q == theirs)
        *theirs->p = 3;
    struct s mine = *q;
    *mine.p += 1;
    if (x == 3)
        reach_error();
    return 0;
}
