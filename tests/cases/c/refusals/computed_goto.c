//! verdict: unknown(unsupported: the address of a label, tests/cases/c/refusals/computed_goto.c:3)
int main(void) {
    void *to = &&there;
    goto *to;
    return 1;
there:
    __VERIFIER_error();
}
