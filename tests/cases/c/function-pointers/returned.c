//! run: 7 12 30
// Functions that return functions.
#include <stdio.h>

static int plus(int a, int b) { return a + b; }
static int times(int a, int b) { return a * b; }

static int (*choose(char c))(int, int) { return c == '+' ? plus : times; }

typedef int (*op)(int, int);
static op other(op f) { return f == plus ? times : plus; }

int main(void) {
    printf("%d %d %d\n", choose('+')(3, 4), choose('*')(3, 4), other(choose('+'))(5, 6));
    return 0;
}
