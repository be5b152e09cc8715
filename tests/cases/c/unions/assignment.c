//! run: 513 9 6
//! run: 9 5
// Assigning a union copies all its bytes.
#include <stdio.h>

union u { unsigned char b[6]; unsigned short h; };

int main(void) {
    union u a = {{1, 2, 3, 4, 5, 6}}, b;
    b = a;
    b.h = 0x0909;
    printf("%d %d %d\n", a.h, b.b[1], b.b[5]);
    union u *p = &b, *q = &a;
    *q = *p;
    printf("%d %d\n", a.b[0], a.b[4]);
    return 0;
}
