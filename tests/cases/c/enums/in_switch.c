//! run: red none none none none green blue none
// Enumerators as case labels.
#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE };

static const char *name(enum colour c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return "none";
}

int main(void) {
    for (int i = 0; i < 8; i++)
        printf("%s ", name(i));
    printf("\n");
    return 0;
}
