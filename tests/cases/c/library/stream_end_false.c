//! verdict: false(unreach-call)
//! decided-by: auto
//! model: lp64
#include <assert.h>
#include <stdio.h>

int main(void) {
    char line[8];
    FILE *file = fopen("x", "r");
    if (file == 0)
        return 1;
    while (fgets(line, sizeof line, file) != 0)
        ;
    assert(feof(file));
    fclose(file);
}
