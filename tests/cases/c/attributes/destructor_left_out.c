//! run:
//! exit: 7
// _Exit calls no destructor.
#include <stdio.h>
#include <stdlib.h>

__attribute__((destructor)) static void never(void) { printf("never\n"); }

int main(void) {
    _Exit(263);
}
