//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
extern int w __attribute__((weak));
int main(void)
{
    return w;
}
