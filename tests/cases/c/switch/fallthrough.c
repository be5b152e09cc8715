//! run: 10000 111 110 100 11000 10000
// Cases run on into the next until a break.
#include <stdio.h>

static int f(int n) {
    int r = 0;
    switch (n) {
    case 1: r += 1;
    case 2: r += 10;
    case 3: r += 100; break;
    case 4: r += 1000;
    default: r += 10000;
    }
    return r;
}

int main(void) {
    for (int i = 0; i < 6; i++)
        printf("%d ", f(i));
    printf("\n");
    return 0;
}
