//! run: 2
// Among declarations of a block.
#include <stdio.h>

int main(void) {
    int a[3];
    _Static_assert(sizeof a / sizeof a[0] == 3, "length");
    for (int i = 0; i < 3; i++) {
        _Static_assert(1, "in a loop");
        a[i] = i;
    }
    printf("%d\n", a[2]);
    return 0;
}
