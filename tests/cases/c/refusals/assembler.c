int main(void) {
    int x = 1;
    __asm__("incl %0" : "+r"(x));
    if (x != 2)
        __VERIFIER_error();
    return 0;
}
