//! run: 52
// All activations share a static local.
#include <stdio.h>

static int depth(int n) {
    static int deepest;
    int mine = n;
    if (mine > deepest)
        deepest = mine;
    if (n < 5)
        depth(n + 1);
    return deepest * 10 + mine;
}

int main(void) {
    printf("%d\n", depth(2));
    return 0;
}
