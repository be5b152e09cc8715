//! run: 0 1 1
//! run: 0 1
//! run: 1 0
//! run: 0 1
//! run: 2
// The usual arithmetic conversions decide what a comparison means.
#include <stdio.h>

int main(void) {
    int minus = -1;
    unsigned one = 1;
    unsigned char small = 255;
    signed char neg = -1;
    long long wide = -1;
    unsigned long long huge = 1;
    printf("%d %d %d\n", minus < one, minus > one, minus == 0xffffffffu);
    printf("%d %d\n", small == neg, (unsigned char)neg == small);
    printf("%d %d\n", wide < one, wide < huge);
    printf("%d %d\n", (long)minus < (unsigned long)one, (short)-1 < (unsigned short)1);
    printf("%d\n", (minus < one) + (minus <= minus) * 2 + (one != 1) * 4);
    return 0;
}
