//! verdict: true
//! decided-by: auto
//! assuming: library_state.c:13:13 (both write the text that strtok keeps)
#include <assert.h>
#include <string.h>

static int both(const char *name, const char *value) {
    return name && value ? 2 : 1;
}

int main(void) {
    char line[] = "a,b";
    int n = both(strtok(line, ","), strtok(NULL, ","));
    assert(n > 0);
    return 0;
}
