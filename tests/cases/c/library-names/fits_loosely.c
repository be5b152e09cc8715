//! verdict: true
//! decided-by: auto
// Declarations that programs write by themselves are the library's: const, signs and sizes do not count.
#include <assert.h>
unsigned int strlen(char *text);
int strcmp();
void *malloc(int size);
void free();
extern void *memcpy(char *to, char *from, long n);
int open(char *name, int flags, int mode);

int main(void) {
    char *copy = malloc(4);
    if (!copy)
        return 0;
    memcpy(copy, "abc", 4);
    assert(strlen(copy) == 3 && strcmp(copy, "abc") == 0 && open("x", 0, 0) >= -1);
    free(copy);
    return 0;
}
