//! verdict: true
//! decided-by: auto
//! property: valid-deref
/* A jump inside a statement expression leaves nothing around it. */
int main(void)
{
    int x = 3, *p = &x;
    int y = ({
        int n = 0;
    again:
        if (n++ < 2)
            goto again;
        n + *p;
    });
    return y + *p;
}
