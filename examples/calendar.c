// Dates and times of day from seconds since 1970 and back, without the library's functions.
// BUG 1: array-bounds: the month is counted from one in the table of days
// BUG 2: unreach-call: the hour is not reduced to a day
// BUG 3: no-overflow: the seconds of a year are multiplied in a type that is too small
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif

extern unsigned __VERIFIER_nondet_uint(void);

struct date {
    int year;
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
    int hour, minute, second;
};

static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static bool is_leap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_of(int month, int year) {
#if BUG == 1
    return days[month] + (month == 2 && is_leap(year));
#else
    return days[month - 1] + (month == 2 && is_leap(year));
#endif
}

static void from_seconds(uint32_t seconds, struct date *d) {
    uint32_t rest = seconds % 86400u;
    int left = (int)(seconds / 86400u);
#if BUG == 2
    d->hour = (int)(seconds / 3600u);
#else
    d->hour = (int)(rest / 3600u);
#endif
    d->minute = (int)(rest % 3600u / 60u);
    d->second = (int)(rest % 60u);
    d->year = 1970;
    while (left >= 365 + is_leap(d->year)) {
        left -= 365 + is_leap(d->year);
        d->year++;
    }
    d->month = 1;
    while (d->month < 12 && left >= days_of(d->month, d->year)) {
        left -= days_of(d->month, d->year);
        d->month++;
    }
    d->day = left + 1;
}

static int64_t roughly(const struct date *d) {
#if BUG == 3
    return (d->year - 1970) * 31557600;
#else
    return (int64_t)(d->year - 1970) * 31557600;
#endif
}

int main(void) {
    struct date d;
    uint32_t now = __VERIFIER_nondet_uint();
    from_seconds(now, &d);
    assert(d.hour >= 0 && d.hour < 24);
    assert(d.minute >= 0 && d.minute < 60);
    assert(d.month >= 1 && d.month <= 12);
    return roughly(&d) < 0 || d.day > days_of(d.month, d.year);
}
