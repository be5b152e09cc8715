//! verdict: false(uninitialised)
//! decided-by: auto
//! property: uninitialised
int main(void)
{
    volatile int v;
    v;
}
