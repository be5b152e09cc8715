//! run: 127 -128
//! run: 0 0
//! run: 255 -32768
//! run: -32768 32767
//! run: 0 18446744073709551615
//! run: 3 13 6
//! run: 11 3 3 2
// ++ and -- on every width, before and after.
#include <stdio.h>

int main(void) {
    char c = 127;
    unsigned char u = 255;
    short s = -32768;
    unsigned long long w = 0;
    int i = 3;
    printf("%d ", c++);
    printf("%d\n", c);
    printf("%d ", ++u);
    printf("%d\n", u--);
    printf("%d %d\n", u, s);
    printf("%d ", s--);
    printf("%d\n", s);
    printf("%llu ", w--);
    printf("%llu\n", w);
    int x = i++ + 10;
    int y = --i * 2;
    printf("%d %d %d\n", i, x, y);
    int a[3] = {1, 2, 3}, k = 0;
    a[k++] += 10;
    a[k++]++;
    printf("%d %d %d %d\n", a[0], a[1], a[2], k);
    return 0;
}
