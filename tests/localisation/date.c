// Property: unreach-call
// The day of the year, and back.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static const int days_before[13] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int day_of_year(int year, int month, int day)
{
    int n = days_before[month - 1] + day;
    if (month > 1 && is_leap(year)) // FAULT: month > 2
        n++;
    return n;
}

static int length_of_month(int year, int month)
{
    int n = days_before[month] - days_before[month - 1];
    if (month == 2 && is_leap(year))
        n++;
    return n;
}

int main(void)
{
    int year = __VERIFIER_nondet_int();
    int month = __VERIFIER_nondet_int();
    if (year < 1900 || year > 2100 || month < 1 || month > 11)
        return 0;
    int last = day_of_year(year, month, length_of_month(year, month));
    int first = day_of_year(year, month + 1, 1);
    assert(first == last + 1);
    return 0;
}
