//! run: 200 3 400 12
// Enums as members, bit-fields and parameters of different width.
#include <stdio.h>

enum kind { NONE, SOME, MANY = 200 };

struct item {
    char tag;
    enum kind kind;
    enum kind narrow : 2;
};

static int twice(unsigned char kind) { return kind * 2; }

int main(void) {
    struct item i = {'x', MANY, SOME};
    i.narrow = i.narrow + 2;
    printf("%d %d %d %d\n", i.kind, i.narrow, twice(i.kind), (int)sizeof i);
    return 0;
}
