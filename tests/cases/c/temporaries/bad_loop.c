//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
int main(void)
{
    int *p;
    for (int i = 0; i < 2; i++)
        p = (int[]){ i };
    return *p;
}
