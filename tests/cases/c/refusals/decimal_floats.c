//! verdict: unknown(unsupported: decimal floating point, tests/cases/c/refusals/decimal_floats.c:3)
int main(void) {
    _Decimal64 d = 1.1dd;
    if (d + d == 2.2dd)
        __VERIFIER_error();
    return 0;
}
