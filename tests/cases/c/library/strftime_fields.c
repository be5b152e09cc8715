//! verdict: false(uninitialised)
//! decided-by: auto
//! property: uninitialised
// A conversion reads the fields that it shows (C11 7.27.3.5p3).
#include <time.h>
int main(void) {
    struct tm date;
    date.tm_year = 126;
    date.tm_mon = 10;
    char text[20];
    return strftime(text, sizeof text, "%Y-%m-%d", &date) == 0;
}
