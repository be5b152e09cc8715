//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
// Without volatile it is no register.
int main(void) {
    unsigned *p = (unsigned *)0x40011000;
    *p = 1;
    return 0;
}
