//! property: array-bounds
//! verdict: false(array-bounds)
//! decided-by: auto
//! model: lp64
struct pair { int a[2]; int b; };

int main(void) {
    struct pair p = {{1, 2}, 3};
    int i = 2;
    return p.a[i];
}
