//! property: no-data-race
//! verdict: true
//! decided-by: auto
//! model: lp64
#include <pthread.h>

static int x;

int main(void) {
    x = 1;
    x++;
    return x - 2;
}
