//! verdict: false(unreach-call)
// memset clears as much as it is told, not the object that was once as large.
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned n = 8;
    if (__VERIFIER_nondet_uchar())
        n = 16;
    unsigned i = __VERIFIER_nondet_uchar() & 1;
    int *p = malloc(n);
    p[i] = 7;
    p[1] = 7;
    n = 4;
    memset(p, 0, n);
    if (p[i] == 7)
        reach_error();
    return 0;
}
