//! run: 80
// A compound literal of a block is made anew when control comes by.
#include <stdio.h>

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int *p = (int[2]){i};
        p[1] += 5;
        p[0] *= 10;
        sum += p[0] + p[1];
    }
    printf("%d\n", sum);
    return 0;
}
