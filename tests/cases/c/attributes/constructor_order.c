//! run: 7
// A constructor runs before main.
#include <stdio.h>

static int ready;
__attribute__((constructor)) static void prepare(void) { ready = 7; }

int main(void) {
    printf("%d\n", ready);
    return 0;
}
