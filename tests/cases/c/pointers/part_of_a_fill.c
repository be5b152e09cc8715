//! verdict: false(unreach-call)
// memset on a part of an integer leaves the rest.
extern void reach_error(void);
extern void *memset(void *, int, __SIZE_TYPE__);

int main(void) {
    int x = 0x01020304, a[3] = {0x11111111, 0x22222222, 0x33333333};
    int *p = &x;
    memset(p, 0, 2);
    memset((char *)a + 2, 0, 4);
    if (x == 0x01020000 && a[0] == 0x1111 && a[1] == 0x22220000 && a[2] == 0x33333333)
        reach_error();
    return 0;
}
