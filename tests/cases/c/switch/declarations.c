//! run: 11 22 4 0
// Declarations inside a switch have the scope of its body.
#include <stdio.h>

static int f(int n) {
    switch (n) {
        int shared;
    case 1:
        shared = 10;
        goto use;
    case 2: {
        int own = 5;
        shared = own * 4;
    }
    use:
    case 3:
        if (n == 3)
            shared = 1;
        return shared + n;
    }
    return 0;
}

int main(void) {
    printf("%d %d %d %d\n", f(1), f(2), f(3), f(4));
    return 0;
}
