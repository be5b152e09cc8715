//! verdict: false(null-deref)
//! decided-by: auto
//! property: null-deref
//! model: lp64
// The year need not fit into an int, so that there may be no calendar time (C11 7.27.3.4p3).
#include <stdio.h>
#include <time.h>
int main(void) {
    time_t now = (time_t)1 << 58;
    char text[20];
    if (sizeof now == 8 && strftime(text, sizeof text, "%Y", localtime(&now)))
        return 1;
    return 0;
}
