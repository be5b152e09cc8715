//! run: 7 8
//! verdict: true
// A function whose parameters are not told can be meant by a pointer to one with parameters.
#include <stdio.h>

static int count;

static void *seven() { count += 7; return 0; }

static void *more(void *by) { count += *(int *)by; return by; }

int main(void) {
    void *(*calls[2])(void *) = { seven, more };
    int one = 1;
    calls[0](0);
    printf("%d ", count);
    calls[1](&one);
    printf("%d\n", count);
    return 0;
}
