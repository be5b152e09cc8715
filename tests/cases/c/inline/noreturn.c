//! run: code 3
//! exit: 3
// _Noreturn functions end the program.
#include <stdio.h>
#include <stdlib.h>

static inline _Noreturn void fail(int code) {
    printf("code %d\n", code);
    exit(code);
}

static int check(int x) {
    if (x < 0)
        fail(3);
    return x;
}

int main(void) {
    check(1);
    check(-1);
    printf("never\n");
    return 0;
}
