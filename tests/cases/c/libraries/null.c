//! verdict: false(null-deref)
//! property: null-deref
//! decided-by: auto
//! arguments: --entry f
int f(int *p) {
    return *p;
}
