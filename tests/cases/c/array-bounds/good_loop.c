//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = i;
    return a[0];
}
