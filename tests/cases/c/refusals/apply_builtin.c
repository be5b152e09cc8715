//! verdict: unknown(unsupported: __builtin_apply_args, tests/cases/c/refusals/apply_builtin.c:5)
static int f(int x) { return x; }

int main(void) {
    void *args = __builtin_apply_args();
    __builtin_apply((void (*)())f, args, 16);
    __VERIFIER_error();
    return 0;
}
