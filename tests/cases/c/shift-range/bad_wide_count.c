//! property: shift-range
//! verdict: false(shift-range)
//! decided-by: auto
//! model: lp64
int main(void) {
    unsigned long long n = 1ull << 32;
    return 1u << n == 0;
}
