//! verdict: false(unreach-call)
// A register at a fixed address may hold anything.
extern void reach_error(void);

#define STATUS (*(volatile unsigned *)0x40021000)
#define COUNT (*(volatile unsigned *)0xE000E018)

int main(void) {
    STATUS = 3;
    if (STATUS == 3 && COUNT == 77)
        reach_error();
    return 0;
}
