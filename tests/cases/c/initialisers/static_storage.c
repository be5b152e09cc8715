//! run: 0 10 4 17
//! run: 17 1 atic
//! run: k 10 0.25 4 1
// Objects with static storage start as zero or as constant expressions say.
#include <stdio.h>

int zero, set = 3 * 4 - 2;
int array[4] = {[1] = sizeof(int), [3] = (1 << 4) | 1};
int *pointer = &array[3], *past = array + 4;
const char *text = "static" + 2;
struct { char c; int *p; } s = {'k', &set};
double d = 1.0 / 4;
static int (*table[2])[4] = {&array};

int main(void) {
    printf("%d %d %d %d\n", zero, set, array[1], array[3]);
    printf("%d %d %s\n", *pointer, (int)(past - pointer), text);
    printf("%c %d %g %d %d\n", s.c, *s.p, d, (*table[0])[1], table[1] == 0);
    return 0;
}
