//! verdict: false(unreach-call)
//! decided-by: auto
// Functions that allocate memory may be replaced, and the library calls those of the program.
#include <assert.h>
#include <stddef.h>
static char room[16];
void *malloc(size_t size) { return size <= 16 ? room : NULL; }
char *strdup(const char *);

int main(void) {
    char *copy = strdup("ab");
    assert(copy != room);
    return 0;
}
