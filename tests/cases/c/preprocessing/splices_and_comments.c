//! run: 16 not /* a */ comment // here
// Spliced lines and comments.
#include <stdio.h>

#define LONG 1 + \
    2 + \
    3
// a comment that goes on \
   in the next line
/* int hidden = "; */
int ma\
in(void) {
    int x = LONG; /* one */ x += /* two /* */ 10; // three
    const char *s = "not /* a */ comment // here";
    printf("%d %s\n", x, s);
    return 0;
}
