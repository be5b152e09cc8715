//! run: 9/4 0/3 8/2 1/1 7/0
// Locals of an activation survive the calls it makes.
#include <stdio.h>

static void digits(int n, int depth) {
    int mine = n % 10, *p = &mine;
    if (n >= 10)
        digits(n / 10, depth + 1);
    printf("%d/%d ", *p, depth);
}

int main(void) {
    digits(90817, 0);
    printf("\n");
    return 0;
}
