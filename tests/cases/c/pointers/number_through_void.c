//! verdict: false(unreach-call)
// A pointer is read as a number through a pointer whose type does not tell.
extern void reach_error(void);

int main(void) {
    int x = 0;
    int *p = &x;
    void *v = &p;
    unsigned long l = *(unsigned long *)v;
    *(int *)l = 5;
    if (x == 5)
        reach_error();
    return 0;
}
