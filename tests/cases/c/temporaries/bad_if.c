//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
/* A substatement is a block, with braces or without (C11 6.8.4p3). */
int main(void)
{
    int *p;
    if (1)
        p = (int[]){ 1, 2 };
    return *p;
}
