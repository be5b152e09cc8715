//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
// A line without its newline is the last, but its characters may be zeros.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) != 0 && strlen(line) < 7 && strchr(line, '\n') == 0)
        assert(feof(stdin));
}
