//! verdict: true
//! decided-by: auto
//! model: lp64
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>

int main(void) {
    time_t t = 951782400;
    struct tm *date = gmtime(&t);
    assert(date->tm_mday == 29 && date->tm_mon == 1 && date->tm_year == 100 && date->tm_yday == 59);
    assert(timegm(date) == t);
}
