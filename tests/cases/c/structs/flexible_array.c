//! run: 15000 4
// A flexible array member takes what the allocation leaves.
#include <stdio.h>
#include <stdlib.h>

struct vec {
    int length;
    short data[];
};

int main(void) {
    struct vec *v = malloc(sizeof(struct vec) + 6 * sizeof(short));
    v->length = 6;
    for (int i = 0; i < v->length; i++)
        v->data[i] = i * 1000;
    long sum = 0;
    for (int i = 0; i < v->length; i++)
        sum += v->data[i];
    printf("%ld %d\n", sum, (int)sizeof(struct vec));
    free(v);
    return 0;
}
