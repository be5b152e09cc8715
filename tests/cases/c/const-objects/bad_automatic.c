//! verdict: false(valid-deref)
//! decided-by: auto
//! property: valid-deref
void set(int *p) { *p = 4; }
int main(void)
{
    const int k = 3;
    int other = 5;
    set(&other);
    set((int *)&k);
}
