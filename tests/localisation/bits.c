// Property: unreach-call
// Packs and unpacks a date in 16 bits: 7 for the year, 4 for the month, 5 for the day.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

typedef unsigned short u16;

#define YEAR_SHIFT 9
#define MONTH_SHIFT 5
#define MONTH_MASK 0x0fu
#define DAY_MASK 0x1fu

static u16 pack(unsigned year, unsigned month, unsigned day)
{
    unsigned packed = (year - 1980) << YEAR_SHIFT;
    packed |= month << MONTH_SHIFT;
    packed |= day;
    return (u16)packed;
}

static unsigned year_of(u16 packed)
{
    return (packed >> YEAR_SHIFT) + 1980;
}

static unsigned month_of(u16 packed)
{
    return (packed >> MONTH_SHIFT) & 0x07u; // FAULT: & MONTH_MASK
}

static unsigned day_of(u16 packed)
{
    return packed & DAY_MASK;
}

int main(void)
{
    unsigned year = __VERIFIER_nondet_uint();
    unsigned month = __VERIFIER_nondet_uint();
    unsigned day = __VERIFIER_nondet_uint();
    if (year < 1980 || year > 2100 || month < 1 || month > 12 || day < 1 || day > 31)
        return 0;
    u16 packed = pack(year, month, day);
    assert(year_of(packed) == year);
    assert(day_of(packed) == day);
    assert(month_of(packed) == month);
    return 0;
}
