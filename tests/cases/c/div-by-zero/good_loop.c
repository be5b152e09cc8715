//! property: div-by-zero
//! verdict: true
//! decided-by: auto
//! model: lp64
int main(void) {
    int sum = 0;
    for (int i = 1; i < 5; i++)
        sum += 12 / i;
    return sum;
}
