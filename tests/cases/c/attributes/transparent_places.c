//! run: 3 2 2
// Attributes in every place where they may stand.
#include <stdio.h>

typedef __attribute__((aligned(4))) int T;
struct __attribute__((unused)) s { int a __attribute__((aligned(4))), b; } __attribute__((aligned(4)));
enum { A __attribute__((unused)) = 3, B };
int __attribute__((unused)) g = 1, __attribute__((unused)) h = 2;

int main(void) {
    __attribute__((unused)) T t = A;
    struct s s = {1, 2};
    goto out;
out: __attribute__((unused));
    switch (t) {
    case A: g++; __attribute__((fallthrough));
    case B: g++;
    }
    printf("%d %d %d\n", g, h, s.b);
    return 0;
}
