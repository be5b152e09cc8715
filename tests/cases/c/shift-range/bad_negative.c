//! property: shift-range
//! verdict: false(shift-range)
//! decided-by: auto
//! model: lp64
int main(void) {
    int n = -1;
    return 8 >> n;
}
