//! property: shift-range
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    unsigned x = 1;
    for (int i = 0; i < 32; i++)
        x |= 1u << i;
    return x == 0;
}
