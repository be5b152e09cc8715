/* Calendars: UTC is computed, local time is off from it by an arbitrary number of seconds. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
size_t __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void __fathom_set_errno(int);
void __fathom_havoc(void *, size_t);
void __fathom_made_up(void);
int __fathom_looks_at_memory(void);
void *__fathom_object(size_t);
void __fathom_unsupported_asctime_of_fields_out_of_range(void);

struct tm {
    int second, minute, hour, day, month, year, weekday, yearday, is_dst;
    long offset;
    const char *zone;
};

enum { OVERFLOW = 75 };

/* Days from 1970 to the first of March of a year, for years that begin then. */
static long long days_to_march(long long year)
{
    long long cycle = (year >= 0 ? year : year - 399) / 400;
    long long in_cycle = year - cycle * 400;
    return cycle * 146097 + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 - 719468;
}

/* Days from 1970 to the first day of a month, counted from 0. */
static long long days_to_month(long long year, int month)
{
    if (month < 2)
        return days_to_march(year - 1) + (153 * (month + 10) + 2) / 5;
    return days_to_march(year) + (153 * (month - 2) + 2) / 5;
}

static struct tm *fill(long long time, struct tm *to)
{
    long long days = time / 86400;
    int rest = (int)(time % 86400);
    if (rest < 0) {
        rest += 86400;
        days--;
    }
    long long shifted = days + 719468;
    long long cycle = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int in_cycle = (int)(shifted - cycle * 146097);
    int year_in_cycle = (in_cycle - in_cycle / 1460 + in_cycle / 36524 - in_cycle / 146096) / 365;
    int in_year = in_cycle - (365 * year_in_cycle + year_in_cycle / 4 - year_in_cycle / 100);
    int from_march = (5 * in_year + 2) / 153;
    int month = from_march < 10 ? from_march + 2 : from_march - 10;
    long long year = cycle * 400 + year_in_cycle + (month < 2);
    if (year - 1900 != (int)(year - 1900)) {
        __fathom_set_errno(OVERFLOW);
        return 0;
    }
    to->second = rest % 60;
    to->minute = rest / 60 % 60;
    to->hour = rest / 3600;
    to->day = in_year - (153 * from_march + 2) / 5 + 1;
    to->month = month;
    to->year = (int)(year - 1900);
    to->weekday = (int)((days % 7 + 11) % 7);
    to->yearday = (int)(days - days_to_month(year, 0));
    to->is_dst = 0;
    to->offset = 0;
    to->zone = "GMT";
    return to;
}

struct tm *gmtime_r(const long *time, struct tm *to)
{
    return fill(*time, to);
}

static struct tm shown;

struct tm *gmtime(const long *time)
{
    return fill(*time, &shown);
}

/* How far local time is from UTC. */
static int some_offset(void)
{
    int offset = __VERIFIER_nondet_int();
    __VERIFIER_assume(offset >= -93600 && offset <= 93600);
    return offset;
}

struct tm *localtime_r(const long *time, struct tm *to)
{
    int offset = some_offset();
    /* Far beyond what a year of type int can say; the sum below must not wrap around. */
    if (*time > 0x4000000000000000ll || *time < -0x4000000000000000ll) {
        __fathom_set_errno(OVERFLOW);
        return 0;
    }
    if (fill((long long)*time + offset, to) == 0)
        return 0;
    to->is_dst = __VERIFIER_nondet_bool();
    to->offset = offset;
    char *zone = __fathom_object(8);
    zone[7] = 0;
    to->zone = zone;
    return to;
}

struct tm *localtime(const long *time)
{
    return localtime_r(time, &shown);
}

/* The time in seconds, which need not fit; fields may have any values. */
static long long seconds(const struct tm *from)
{
    long long year = 1900ll + from->year + from->month / 12;
    int month = from->month % 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    long long days = days_to_month(year, month) + from->day - 1;
    return days * 86400 + from->hour * 3600ll + from->minute * 60ll + from->second;
}

/* With the fields as they should be. */
static long normal(struct tm *from, long long time)
{
    struct tm made;
    if (time != (long)time || fill(time, &made) == 0) {
        __fathom_set_errno(OVERFLOW);
        return -1;
    }
    *from = made;
    return (long)time;
}

long timegm(struct tm *from)
{
    return normal(from, seconds(from));
}

/* Fails where the time cannot be represented, and, in glibc, where it does not exist. */
long mktime(struct tm *from)
{
    int offset = some_offset();
    long long time = seconds(from);
    if (__VERIFIER_nondet_bool()) {
        __fathom_set_errno(OVERFLOW);
        return -1;
    }
    if (normal(from, time) == -1 && time != -1)
        return -1;
    long long result = time - offset;
    if (result != (long)result) {
        __fathom_set_errno(OVERFLOW);
        return -1;
    }
    from->is_dst = __VERIFIER_nondet_bool();
    from->offset = offset;
    return (long)result;
}

long timelocal(struct tm *from)
{
    return mktime(from);
}

static size_t put(char *to, size_t at, const char *text, int index)
{
    for (int i = 0; i < 3; i++)
        to[at + i] = text[index * 3 + i];
    return at + 3;
}

static size_t put_two(char *to, size_t at, int number, char fill)
{
    to[at] = number >= 10 ? '0' + number / 10 : fill;
    to[at + 1] = '0' + number % 10;
    return at + 2;
}

/* The form that C gives. It does not say what happens with fields out of their ranges. */
char *asctime_r(const struct tm *time, char *to)
{
    if (time->weekday < 0 || time->weekday > 6 || time->month < 0 || time->month > 11 || time->day < 0 || time->day > 99
        || time->hour < 0 || time->hour > 99 || time->minute < 0 || time->minute > 99 || time->second < 0
        || time->second > 99 || time->year < -900 || time->year > 8099) {
        __fathom_unsupported_asctime_of_fields_out_of_range();
    }
    size_t at = put(to, 0, "SunMonTueWedThuFriSat", time->weekday);
    to[at++] = ' ';
    at = put(to, at, "JanFebMarAprMayJunJulAugSepOctNovDec", time->month);
    to[at++] = ' ';
    at = put_two(to, at, time->day, ' ');
    to[at++] = ' ';
    at = put_two(to, at, time->hour, '0');
    to[at++] = ':';
    at = put_two(to, at, time->minute, '0');
    to[at++] = ':';
    at = put_two(to, at, time->second, '0');
    to[at++] = ' ';
    int year = time->year + 1900;
    at = put_two(to, at, year / 100, '0');
    at = put_two(to, at, year % 100, '0');
    to[at] = '\n';
    to[at + 1] = 0;
    return to;
}

static char line[26];

char *asctime(const struct tm *time)
{
    return asctime_r(time, line);
}

char *ctime_r(const long *time, char *to)
{
    struct tm local;
    if (localtime_r(time, &local) == 0 || local.year < -900 || local.year > 8099) {
        __fathom_set_errno(OVERFLOW);
        return 0;
    }
    return asctime_r(&local, to);
}

char *ctime(const long *time)
{
    return ctime_r(time, line);
}

/* Reads the fields that a conversion shows (C11 7.27.3.5p3). */
static void look_at(const struct tm *time, char conversion)
{
    int seen = 0;
    switch (conversion) {
    case 'a':
    case 'A':
    case 'u':
    case 'w':
        seen = time->weekday;
        break;
    case 'b':
    case 'B':
    case 'h':
    case 'm':
        seen = time->month;
        break;
    case 'C':
    case 'y':
    case 'Y':
        seen = time->year;
        break;
    case 'd':
    case 'e':
        seen = time->day;
        break;
    case 'H':
    case 'I':
    case 'k':
    case 'l':
    case 'p':
    case 'P':
        seen = time->hour;
        break;
    case 'j':
        seen = time->yearday;
        break;
    case 'M':
        seen = time->minute;
        break;
    case 'S':
        seen = time->second;
        break;
    case 'D':
    case 'F':
    case 'x':
        seen = time->year ^ time->month ^ time->day;
        break;
    case 'R':
        seen = time->hour ^ time->minute;
        break;
    case 'r':
    case 'T':
    case 'X':
        seen = time->hour ^ time->minute ^ time->second;
        break;
    case 'g':
    case 'G':
    case 'U':
    case 'V':
    case 'W':
        seen = time->year ^ time->weekday ^ time->yearday;
        break;
    case 'c':
    case 's':
        seen = time->year ^ time->month ^ time->day ^ time->weekday ^ time->hour ^ time->minute ^ time->second;
        break;
    case 'z':
    case 'Z':
        seen = time->is_dst;
        break;
    }
    (void)seen;
}

/* Which text it is, is not computed: one that has room, or none. */
size_t strftime(char *to, size_t room, const char *format, const struct tm *time)
{
    if (__fathom_looks_at_memory()) {
        size_t i = 0;
        for (char c = format[i]; c != 0; c = format[++i])
            if (c == '%') {
                do
                    c = format[++i];
                while (c == '_' || c == '-' || c == '0' || c == '^' || c == '#' || c == 'E' || c == 'O');
                if (c == 0)
                    break;
                look_at(time, c);
            }
    }
    __fathom_made_up();
    size_t length = __VERIFIER_nondet_ulong();
    if (length == 0 || room == 0)
        return 0;
    __VERIFIER_assume(length < room);
    __fathom_havoc(to, length);
    to[length] = 0;
    return length;
}
