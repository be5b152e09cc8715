//! run: 6 7 7
// A value of a const type makes a variable that can be read alike.
#include <stdio.h>

int main(void) {
    const int c = 5;
    typeof(c) d = c + 1;
    typeof((int)c) e = d;
    e++;
    volatile typeof(e) v = e;
    printf("%d %d %d\n", d, e, v);
    return 0;
}
