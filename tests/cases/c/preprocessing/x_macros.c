//! run: RED BLUE ? 5
// A list that is expanded twice.
#include <stdio.h>

#define COLOURS(X) X(RED, 1) X(GREEN, 2) X(BLUE, 4)
#define AS_ENUM(name, value) name = value,
#define AS_CASE(name, value) case name: return #name;

enum colour { COLOURS(AS_ENUM) };

static const char *name(enum colour c) {
    switch (c) { COLOURS(AS_CASE) }
    return "?";
}

int main(void) {
    printf("%s %s %s %d\n", name(RED), name(4), name(3), RED | BLUE);
    return 0;
}
