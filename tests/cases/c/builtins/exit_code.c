//! run: leaving
//! exit: 42
// exit ends the program from anywhere.
#include <stdio.h>
#include <stdlib.h>

static void deep(int n) {
    if (n == 0) {
        printf("leaving\n");
        exit(42);
    }
    deep(n - 1);
    printf("never\n");
}

int main(void) {
    deep(3);
    return 1;
}
