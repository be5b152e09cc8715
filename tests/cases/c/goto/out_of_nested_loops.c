//! run: 5 12 13
// Leaving three loops at once.
#include <stdio.h>

int main(void) {
    int i, j, k;
    for (i = 1; i < 20; i++)
        for (j = i; j < 20; j++)
            for (k = j; k < 30; k++)
                if (i * i + j * j == k * k && i > 4)
                    goto found;
    printf("none\n");
    return 1;
found:
    printf("%d %d %d\n", i, j, k);
    return 0;
}
