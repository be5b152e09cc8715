//! property: array-bounds
//! verdict: true
//! decided-by: auto
//! model: lp64
static int get(int *p, int i) {
    return p[i];
}

int main(void) {
    int a[2] = {4, 5};
    return get(a, 1);
}
