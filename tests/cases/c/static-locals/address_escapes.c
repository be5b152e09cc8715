//! run: 16 1
// The address of a static local stays valid.
#include <stdio.h>

static int *cell(void) {
    static int value = 7;
    return &value;
}

int main(void) {
    int *p = cell();
    *p += 1;
    *cell() *= 2;
    printf("%d %d\n", *p, p == cell());
    return 0;
}
