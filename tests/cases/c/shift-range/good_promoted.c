//! property: shift-range
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    unsigned char c = 1;
    return c << 20 == 0;
}
