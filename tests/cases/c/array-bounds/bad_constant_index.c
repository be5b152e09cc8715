//! property: array-bounds
//! verdict: false(array-bounds)
//! decided-by: auto
//! model: lp64
int main(void) {
    int a[3] = {1, 2, 3};
    int i = 3;
    return a[i];
}
