//! verdict: false(null-deref)
//! decided-by: auto
//! property: null-deref
extern int f(void) __attribute__((weak));
int main(void)
{
    return f();
}
