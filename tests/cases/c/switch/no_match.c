//! run: 11
// Without a matching case nothing happens; code before the first case never runs.
#include <stdio.h>

int main(void) {
    int n = 7, r = 1;
    switch (n) {
        r = 50;
    case 1: r = 2; break;
    case 2: r = 3;
    }
    switch (n)
    case 7: r += 10;
    switch (n) {}
    printf("%d\n", r);
    return 0;
}
