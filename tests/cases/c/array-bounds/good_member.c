//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
struct pair { int a[2]; int b; };

int main(void) {
    struct pair p = {{1, 2}, 3};
    return p.a[1];
}
