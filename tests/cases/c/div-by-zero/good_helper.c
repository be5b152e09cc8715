//! property: div-by-zero
//! verdict: true
//! decided-by: auto
//! model: lp64
static int divide(int a, int b) {
    return b ? a / b : 0;
}

int main(void) {
    return divide(8, 2) - 4;
}
