//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
//! model: lp64
int main(void) {
    int zero = 0;
    return 1 / zero;
}
