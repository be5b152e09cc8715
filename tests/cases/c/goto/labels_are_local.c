//! run: 3 4 9
// Labels belong to their function and have a name space of their own.
#include <stdio.h>

static int f(int x) {
    if (x > 5)
        goto end;
    x *= 2;
end:
    return x;
}

int main(void) {
    int end = 3;
    if (end)
        goto end;
    end = 100;
end:
    printf("%d %d %d\n", end, f(2), f(9));
    return 0;
}
