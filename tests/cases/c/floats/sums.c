//! run: 7.4854784 7.48547077
// Rounding shows in long sums; Kahan's way keeps it small.
#include <stdio.h>

int main(void) {
    float naive = 0, sum = 0, lost = 0;
    for (int i = 1; i <= 1000; i++) {
        float term = 1.0f / i;
        naive += term;
        float y = term - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    printf("%.9g %.9g\n", naive, sum);
    return 0;
}
