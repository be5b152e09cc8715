//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
//! model: lp64
int main(void) {
    int sum = 0;
    for (int i = 3; i > -3; i--)
        sum += 12 / i;
    return sum;
}
