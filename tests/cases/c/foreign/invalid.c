//! verdict: false(valid-deref)
//! property: valid-deref
// For memory safety, a pointer from outside is as good as any other number.
extern void *__VERIFIER_nondet_pointer(void);

int main(void) {
    int *p = __VERIFIER_nondet_pointer();
    if (p)
        *p = 1;
    return 0;
}
