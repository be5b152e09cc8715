//! run: gone
//! exit: 9
// A function that never comes back.
#include <stdio.h>
#include <stdlib.h>

void die(const char *why) __attribute__((noreturn));
void die(const char *why) {
    printf("%s\n", why);
    exit(9);
}

int main(void) {
    int x = 0;
    if (!x)
        die("gone");
    printf("never\n");
}
