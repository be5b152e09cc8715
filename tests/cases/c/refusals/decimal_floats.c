int main(void) {
    _Decimal64 d = 1.1dd;
    if (d + d == 2.2dd)
        __VERIFIER_error();
    return 0;
}
