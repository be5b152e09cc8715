//! property: div-by-zero
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    double x = 0.0;
    return 1.0 / x > 0.0 ? 0 : 1;
}
