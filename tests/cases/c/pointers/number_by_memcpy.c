//! verdict: false(unreach-call)
// The bytes of a pointer become a number, and that a pointer again.
extern void reach_error(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);

int main(void) {
    int x = 0;
    int *p = &x;
    unsigned long l;
    memcpy(&l, &p, sizeof p);
    int *q = (int *)l;
    *q = 5;
    if (x == 5)
        reach_error();
    return 0;
}
