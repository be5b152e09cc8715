//! verdict: false(unreach-call)
//! decided-by: auto
static int half(int n) __fathom_requires(n % 2 == 0) { return n / 2; }
static int twice(int n) { return 2 * n; }
int main(void) {
    int (*f[2])(int) = { half, twice };
    int i;
    for (i = 0; i < 2; i++)
        f[i](i + 3);
    return 0;
}
