//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
/* A value of record type lives until the full expression ends (C11 6.2.4p8). */
struct s { int a[3]; };
struct s make(void)
{
    return (struct s){ { 1, 2, 3 } };
}
int main(void)
{
    int *p = make().a;
    return *p;
}
