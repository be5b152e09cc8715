//! run: 123
//! run: 7 6
// As arguments of calls and indices.
#include <stdio.h>

static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }

int main(void) {
    int a[4] = {5, 6, 7, 8}, i = 1;
    printf("%d\n", three(({ 1; }), ({ int t = 2; t; }), ({ 3; })));
    printf("%d %d\n", a[({ i + 1; })], *({ int *p = a; p + i; }));
    return 0;
}
