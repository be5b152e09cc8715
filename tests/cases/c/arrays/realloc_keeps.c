//! verdict: true
// What realloc copies depends on the size of both objects; the pointer means the old one first and the new one then.
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int *values = malloc(4 * sizeof *values);
    values[0] = x;
    values[3] = 7;
    values = realloc(values, 8 * sizeof *values);
    values[7] = 9;
    assert(values[0] == x && values[3] == 7);
    values = realloc(values, 2 * sizeof *values);
    assert(values[0] == x);
    return 0;
}
