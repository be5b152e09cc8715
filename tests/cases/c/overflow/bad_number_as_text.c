//! property: no-overflow
//! verdict: false(no-overflow)
//! decided-by: auto
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin))
        return 1;
    int seconds = atoi(line);
    return seconds + 1 > 60;
}
