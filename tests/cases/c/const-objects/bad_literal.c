//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
int main(void)
{
    char *p = "text";
    p[0] = 'T';
}
