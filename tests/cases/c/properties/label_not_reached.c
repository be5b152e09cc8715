//! property: unreach-label:ERROR
//! verdict: true
//! decided-by: auto
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int lock = 0;
    while (__VERIFIER_nondet_int()) {
        if (lock)
            goto ERROR;
        lock = 1;
        lock = 0;
    }
    return 0;
ERROR:
    return 1;
}
