//! property: shift-range
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    unsigned x = 5;
    x <<= 3;
    x >>= 3;
    return x - 5;
}
