//! run: 1111 4
// The controlling expression is evaluated once.
#include <stdio.h>

static int calls;
static int next(void) { return calls++; }

int main(void) {
    int r = 0;
    for (int i = 0; i < 4; i++)
        switch (next()) {
        case 0: r += 1; break;
        case 1: r += 10; break;
        case 2: r += 100; break;
        case 3: r += 1000; break;
        }
    printf("%d %d\n", r, calls);
    return 0;
}
