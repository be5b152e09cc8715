//! verdict: false(unreach-call)
// memcpy of a part of an integer leaves the rest.
extern void reach_error(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);

int main(void) {
    int x = 0x01020304, y = 0x0a0b0c0d;
    memcpy((char *)&x + 1, &y, 2);
    if (x == 0x010c0d04)
        reach_error();
    return 0;
}
