//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
struct pair { int x, y; };
static const struct pair table[2] = { { 1, 2 }, { 3, 4 } };
int __VERIFIER_nondet_int(void);
int main(void)
{
    struct pair *p = (struct pair *)table;
    if (__VERIFIER_nondet_int())
        p[1].y = 4;
}
