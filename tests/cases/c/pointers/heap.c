//! run: 66 0
// Objects from malloc, calloc and realloc.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(3 * sizeof *a), *z = calloc(4, sizeof *z);
    for (int i = 0; i < 3; i++)
        a[i] = i + 1;
    a = realloc(a, 6 * sizeof *a);
    for (int i = 3; i < 6; i++)
        a[i] = a[i - 3] * 10;
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += a[i];
    printf("%d %d\n", sum, z[0] + z[3]);
    free(a);
    free(z);
    free(0);
    return 0;
}
