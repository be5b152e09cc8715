//! verdict: false(unreach-call)
// The number that shares its bytes with a pointer is its address.
extern void reach_error(void);

union both {
    int *p;
    unsigned long l;
};

int main(void) {
    int x = 0;
    union both u;
    u.p = &x;
    int *q = (int *)(u.l + 0);
    *q = 5;
    if (x == 5)
        reach_error();
    return 0;
}
