//! property: uninitialised
//! verdict: true
//! decided-by: auto
#include <stdlib.h>
struct pair { int one, two; };
int main(void) {
    struct pair *pairs = malloc(10 * sizeof *pairs);
    if (!pairs) return 1;
    for (int i = 0; i < 10; i++) { pairs[i].one = i; pairs[i].two = -i; }
    int sum = 0;
    for (int i = 0; i < 10; i++) sum += pairs[i].one + pairs[i].two;
    free(pairs);
    return sum;
}
