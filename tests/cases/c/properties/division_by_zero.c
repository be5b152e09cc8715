//! property: div-by-zero
//! verdict: false(div-by-zero)
//! decided-by: auto
int main(void) {
    int sum = 0;
    for (int i = 5; i >= 0; i--)
        sum += 100 / i;
    return sum;
}
