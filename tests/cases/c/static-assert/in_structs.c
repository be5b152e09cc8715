//! run: 3
// Among members of a struct.
#include <stdio.h>

struct s {
    char c;
    _Static_assert(sizeof(int) == 4, "int");
    int i;
};
_Static_assert(__builtin_offsetof(struct s, i) == 4, "offset");

int main(void) {
    struct s s = {1, 2};
    printf("%d\n", s.c + s.i);
    return 0;
}
