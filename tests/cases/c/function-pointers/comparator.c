//! run: 1234 ollhe
// A sort with a comparator, as qsort has it.
#include <stdio.h>

static void sort(void *base, int n, int size, int (*less)(const void *, const void *)) {
    char *b = base;
    for (int i = 0; i < n; i++)
        for (int j = i; j > 0 && less(b + j * size, b + (j - 1) * size); j--)
            for (int k = 0; k < size; k++) {
                char t = b[j * size + k];
                b[j * size + k] = b[(j - 1) * size + k];
                b[(j - 1) * size + k] = t;
            }
}

static int int_less(const void *a, const void *b) { return *(const int *)a < *(const int *)b; }
static int char_greater(const void *a, const void *b) { return *(const char *)a > *(const char *)b; }

int main(void) {
    int n[] = {4, 1, 3, 2};
    char s[] = "ehllo";
    sort(n, 4, sizeof(int), int_less);
    sort(s, 5, 1, char_greater);
    printf("%d%d%d%d %s\n", n[0], n[1], n[2], n[3], s);
    return 0;
}
