//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
/* So is the whole statement with its condition. */
int main(void)
{
    int *p;
    if ((p = (int[]){ 1, 2 })[1] == 2)
        p[0] = 3;
    return *p;
}
