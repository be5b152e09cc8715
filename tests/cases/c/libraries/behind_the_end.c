//! verdict: false(valid-deref)
//! property: valid-memsafety
//! decided-by: auto
//! arguments: --entry f
// There need not be more than one element.
int f(int *p, unsigned n) {
    return p && n < 4 ? p[n] : 0;
}
