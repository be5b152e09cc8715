//! verdict: true
//! decided-by: auto
// A function of the program with the name of one of the library is not called by the library itself, as glibc has it.
#include <assert.h>
#include <stddef.h>
static int calls;
size_t strlen(const char *text) {
    calls++;
    return 77;
}
char *strdup(const char *);
int strcmp(const char *, const char *);
int sprintf(char *, const char *, ...);

int main(void) {
    char to[8];
    char *copy = strdup("ab");
    assert(!copy || strcmp(copy, "ab") == 0);
    assert(sprintf(to, "%s", "abc") == 3);
    assert(calls == 0);
    assert(strlen("x") == 77 && calls == 1);
    return 0;
}
