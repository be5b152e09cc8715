//! property: valid-deref
//! verdict: false(valid-deref)
//! decided-by: auto
//! arguments: --mmio 0x40011000:8
int main(void) {
    unsigned *p = (unsigned *)0x40011006;
    *p = 1;
    return 0;
}
