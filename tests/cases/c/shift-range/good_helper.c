//! property: shift-range
//! verdict: true
//! decided-by: auto
//! model: lp64
static unsigned bit(unsigned n) {
    return n < 32 ? 1u << n : 0;
}

int main(void) {
    return bit(7) == 0;
}
