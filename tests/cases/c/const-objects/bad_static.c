//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
const int k = 3;
int main(void)
{
    *(int *)&k = 4;
}
