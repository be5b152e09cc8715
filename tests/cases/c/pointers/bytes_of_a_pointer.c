//! verdict: false(unreach-call)
// A pointer that is copied byte by byte is that pointer.
extern void reach_error(void);

int main(void) {
    int x = 0;
    int *p = &x, *q = 0;
    for (unsigned i = 0; i < sizeof p; i++)
        ((char *)&q)[i] = ((char *)&p)[i];
    *q = 5;
    if (x == 5)
        reach_error();
    return 0;
}
