//! verdict: true
//! decided-by: auto
#include <stdlib.h>

extern void reach_error(void);

static void leave(void) {
    exit(0);
}

int main(void) {
    leave();
    reach_error();
}
