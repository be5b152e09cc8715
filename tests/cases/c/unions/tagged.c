//! run: 42 65 42
// A tagged union, passed by value.
#include <stdio.h>

typedef struct {
    enum { INT, CHAR, PAIR } tag;
    union { int i; char c; struct { int a, b; } pair; } as;
} Value;

static int eval(Value v) {
    switch (v.tag) {
    case INT: return v.as.i;
    case CHAR: return v.as.c;
    case PAIR: return v.as.pair.a * v.as.pair.b;
    }
    return -1;
}

int main(void) {
    Value vs[] = {{INT, {.i = 42}}, {CHAR, {.c = 'A'}}, {PAIR, {.pair = {6, 7}}}};
    for (int i = 0; i < 3; i++)
        printf("%d ", eval(vs[i]));
    printf("\n");
    return 0;
}
