//! property: shift-range
//! verdict: false(shift-range)
//! decided-by: auto
//! model: lp64
static unsigned bit(unsigned n) {
    return 1u << n;
}

int main(void) {
    return bit(40) == 0;
}
