//! property: unreach-call
//! verdict: true
//! decided-by: auto
// What is written to a register changes no variable.
#define REG (*(volatile unsigned *)0x40021000)
int x = 5;

int main(void) {
    int *p = &x;
    REG = 3;
    if (*p != 5)
        __VERIFIER_error();
    return 0;
}
