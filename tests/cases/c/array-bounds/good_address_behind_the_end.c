//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int a[3] = {0};
    int *end = &a[3];
    return end - a;
}
