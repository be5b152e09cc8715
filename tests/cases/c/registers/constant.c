//! property: valid-deref
//! verdict: true
//! decided-by: auto
// A register is set and waited for.
#define REG (*(volatile unsigned *)0x40021000)

int main(void) {
    REG |= 4;
    while (!(REG & 8))
        ;
    return 0;
}
