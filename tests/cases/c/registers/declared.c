//! property: valid-deref
//! verdict: true
//! decided-by: auto
//! arguments: --mmio 0x40011000:8
int main(void) {
    unsigned *p = (unsigned *)0x40011004;
    *p = 1;
    return *p;
}
