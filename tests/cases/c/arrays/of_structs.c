//! run: 30 3 9 100
// Arrays of structs that hold arrays.
#include <stdio.h>

struct row { int n; int cells[4]; };

int main(void) {
    struct row rows[3] = {{2, {1, 2}}, {4, {3, 4, 5, 6}}, {.cells = {[3] = 9}, .n = 4}};
    int total = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < rows[i].n; j++)
            total += rows[i].cells[j];
    rows[0] = rows[1];
    rows[1].cells[0] = 100;
    struct row *last = rows + 2;
    printf("%d %d %d %d\n", total, rows[0].cells[0], last->cells[3], last[-1].cells[0]);
    return 0;
}
