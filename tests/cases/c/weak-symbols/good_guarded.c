//! verdict: true
//! decided-by: auto
//! property: valid-deref
//! property: null-deref
//! arguments: --missing-bodies pure
extern int w __attribute__((weak));
extern int f(void) __attribute__((weak));
int main(void)
{
    int (*p)(void) = f;
    if (&w)
        w = 3;
    if (f)
        f();
    if (p)
        return p();
}
