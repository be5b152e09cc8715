//! verdict: unknown(unsupported: complex numbers, tests/cases/c/refusals/complex.c:3)
int main(void) {
    _Complex double z = 1.0;
    z = z * z;
    if (z == 1.0)
        __VERIFIER_error();
    return 0;
}
