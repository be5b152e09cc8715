//! verdict: unknown(unsupported: inline assembler, tests/cases/c/refusals/assembler.c:4)
int main(void) {
    int x = 1;
    __asm__("incl %0" : "+r"(x));
    if (x != 2)
        __VERIFIER_error();
    return 0;
}
