//! run: 10 11 02 11 11 02 10 00
// Arrays and pointers to structs with bit-fields.
#include <stdio.h>

struct cell {
    unsigned alive : 1;
    unsigned count : 4;
};

int main(void) {
    struct cell row[8] = {{0}};
    unsigned pattern = 0x5b;
    for (int i = 0; i < 8; i++)
        row[i].alive = pattern >> i;
    for (struct cell *p = row + 1; p < row + 7; p++)
        p->count = p[-1].alive + p[1].alive;
    for (int i = 0; i < 8; i++)
        printf("%u%u ", row[i].alive, row[i].count);
    printf("\n");
    return 0;
}
