//! verdict: false(uninitialised)
//! decided-by: auto
//! property: uninitialised
struct pair { int x, y; };
struct pair make(int x)
{
    if (x > 0)
        return (struct pair){ x, x };
    return;
}
struct pair (*maker)(int) = make;
int main(void)
{
    struct pair p = maker(1);
    p = maker(0);
    return p.x;
}
