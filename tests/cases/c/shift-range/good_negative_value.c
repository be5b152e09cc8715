//! property: shift-range
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int x = -8;
    return (x >> 2) + 2;
}
