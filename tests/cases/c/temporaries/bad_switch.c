//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
int main(void)
{
    int *p = 0;
    switch (1)
    case 1:
        p = &(int){ 1 };
    return *p;
}
