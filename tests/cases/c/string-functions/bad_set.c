//! property: strings
//! verdict: false(strings)
//! decided-by: auto
//! model: lp64
#include <string.h>
#include <stdlib.h>

int main(void) {
    char a[4];
    memset(a, 0, sizeof a + 1);
    return 0;
}
