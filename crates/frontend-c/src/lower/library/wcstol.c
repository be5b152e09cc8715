/* Numbers from strings of wide characters, in the C locale. */

typedef unsigned long size_t;
typedef int wchar_t;
void __fathom_set_errno(int);

static int is_space(wchar_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int digit(wchar_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* Reads a number whose magnitude is at most `most`, or one more if it is negative and `extra` is 1. */
static unsigned long long number(const wchar_t *s, wchar_t **end, int base, unsigned long long most, int extra)
{
    size_t i = 0;
    _Bool found = 0, too_large = 0, negative = 0;
    unsigned long long value = 0;
    if (base < 0 || base == 1 || base > 36) {
        __fathom_set_errno(22);
        return 0;
    }
    while (is_space(s[i]))
        i++;
    if (s[i] == '+' || s[i] == '-')
        negative = s[i++] == '-';
    if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') && digit(s[i + 2]) < 16) {
        i += 2;
        base = 16;
    } else if (base == 0) {
        base = s[i] == '0' ? 8 : 10;
    }
    unsigned long long limit = negative ? most + extra : most;
    while (digit(s[i]) < base) {
        unsigned d = digit(s[i]);
        found = 1;
        if (value > (limit - d) / base)
            too_large = 1;
        else
            value = value * base + d;
        i++;
    }
    if (end != 0)
        *end = (wchar_t *)s + (found ? i : 0);
    if (too_large) {
        __fathom_set_errno(34);
        return negative && extra ? -limit : limit;
    }
    return negative ? -value : value;
}

long wcstol(const wchar_t *s, wchar_t **end, int base)
{
    return number(s, end, base, (unsigned long)-1 >> 1, 1);
}

long long wcstoll(const wchar_t *s, wchar_t **end, int base)
{
    return number(s, end, base, (unsigned long long)-1 >> 1, 1);
}

unsigned long wcstoul(const wchar_t *s, wchar_t **end, int base)
{
    return number(s, end, base, (unsigned long)-1, 0);
}

unsigned long long wcstoull(const wchar_t *s, wchar_t **end, int base)
{
    return number(s, end, base, (unsigned long long)-1, 0);
}

long long wcstoimax(const wchar_t *s, wchar_t **end, int base)
{
    return wcstoll(s, end, base);
}

unsigned long long wcstoumax(const wchar_t *s, wchar_t **end, int base)
{
    return wcstoull(s, end, base);
}
