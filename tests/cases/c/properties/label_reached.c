//! property: unreach-label:ERROR
//! verdict: false(unreach-label:ERROR)
//! decided-by: auto
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int lock = 0, n = __VERIFIER_nondet_int();
    do {
        if (lock)
            goto ERROR;
        lock = 1;
        if (n & 1)
            lock = 0;
    } while (n++ & 2);
    return 0;
ERROR:
    return 1;
}
