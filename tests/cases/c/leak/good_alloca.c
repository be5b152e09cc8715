//! property: valid-memcleanup
//! verdict: true
//! decided-by: auto
//! model: lp64
// What `alloca` gives ends with the function.
int main(void) {
    int *p = __builtin_alloca(8);
    p[0] = 1;
    p[1] = 2;
    return p[0] + p[1];
}
