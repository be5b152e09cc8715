//! run: 7 200
//! run: 1 2
//! run: 7
// Arguments are expanded before they are substituted, except beside # and ##.
#include <stdio.h>

#define ONE 1
#define PAIR(a, b) a, b
#define SUM(x, y) ((x) + (y))
#define APPLY(f, args) f args
#define GLUE(a, b) a##b
#define ONE2 200
#define EMPTY

int main(void) {
    printf("%d %d\n", APPLY(SUM, (3, 4)), GLUE(ONE, 2));
    printf("%d %d\n", PAIR(ONE, SUM(ONE, ONE)));
    printf("%d\n", SUM(EMPTY 5, (1, 2)));
    return 0;
}
