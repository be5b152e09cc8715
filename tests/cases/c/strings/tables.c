//! run: zero one two (none) four
//! run: abc de f 0
// Tables of strings.
#include <stdio.h>

static const char *const names[] = {"zero", "one", "two", [4] = "four"};
static char grid[3][4] = {"abc", "de", "f"};

int main(void) {
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        printf("%s ", names[i] ? names[i] : "(none)");
    printf("\n%s %s %c %d\n", grid[0], grid[1], grid[2][0], grid[2][1]);
    return 0;
}
