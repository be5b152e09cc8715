//! property: unreach-call
//! verdict: false(unreach-call)
//! decided-by: auto
// What is written need not be what is read, nor need two reads give the same.
#define REG (*(volatile unsigned *)0x40021000)

int main(void) {
    REG = 3;
    if (REG == 7 && REG == 8)
        __VERIFIER_error();
    return 0;
}
