//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int a[3] = {1, 2, 3};
    return a[2];
}
