int main(void) {
    void *to = &&there;
    goto *to;
    return 1;
there:
    __VERIFIER_error();
}
