//! run: 484
//! run: 454
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    srand48(1);
    printf("%ld\n", lrand48() % 100000);
    printf("%d\n", (int)(drand48() * 1000));
}
