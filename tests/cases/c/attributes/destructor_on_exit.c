//! run: working
//! run: second
//! run: first
//! exit: 5
// exit calls the destructors; their order is that of their priorities, reversed.
#include <stdio.h>
#include <stdlib.h>

__attribute__((destructor(200))) static void first(void) { printf("first\n"); }
__attribute__((destructor(300))) static void second(void) { printf("second\n"); }

static void leave(int code) {
    exit(code);
}

int main(void) {
    printf("working\n");
    leave(5);
    return 0;
}
