//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
int main(void) {
    *(volatile int *)0 = 1;
    return 0;
}
