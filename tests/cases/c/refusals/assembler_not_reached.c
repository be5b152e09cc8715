//! verdict: true
//! decided-by: auto
int main(void) {
    int x = 1;
    if (0) {
        __asm__("hlt");
        __VERIFIER_error();
    }
    return x - 1;
}
