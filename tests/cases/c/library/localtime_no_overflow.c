//! verdict: true
//! decided-by: auto
//! property: no-overflow
// What the library computes inside of its functions overflows for no argument.
#include <time.h>
int main(void) {
    time_t now = time(0);
    struct tm *local = localtime(&now);
    return local && local->tm_isdst > 0;
}
