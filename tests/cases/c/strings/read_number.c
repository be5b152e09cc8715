//! verdict: true
//! property: valid-deref
//! decided-by: bounds
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char line[14];
    int seen[10] = {0};
    if (fgets(line, sizeof line, stdin) != NULL) {
        int digit = atoi(line);
        if (digit >= 0 && digit < 10)
            seen[digit] = 1;
    }
    return seen[0];
}
