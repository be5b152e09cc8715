//! run: both
//! run: 6 35
// As conditions of if, while, for and &&.
#include <stdio.h>

int main(void) {
    int n = 0, hits = 0;
    while (({ int k = n++; k < 5; }))
        hits++;
    if (({ n == 6; }) && ({ hits == 5; }))
        printf("both\n");
    for (int i = 0; ({ int limit = 3; i < limit; }); i++)
        hits += 10;
    0 && ({ hits = 0; 1; });
    printf("%d %d\n", n, hits);
    return 0;
}
