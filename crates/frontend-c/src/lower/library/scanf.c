/* Formatted input. From a stream, what is read is arbitrary. From a string, each function takes the place that it starts at and gives
   where it ends, -1 where the string is at its end, or -2 where it does not match. */

typedef unsigned long size_t;
char __VERIFIER_nondet_char(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void __fathom_disjoint(const void *, size_t, const void *, size_t);
void __fathom_unsupported_a_hexadecimal_number_without_digits(void);

static int is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Whether a character is in a set between brackets, which is given without these and without the `^`. */
static int is_in(const char *set, size_t length, unsigned char c)
{
    for (size_t i = 0; i < length; i++) {
        if (i + 2 < length && set[i + 1] == '-') {
            if ((unsigned char)set[i] <= c && c <= (unsigned char)set[i + 2])
                return 1;
            i += 2;
        } else if ((unsigned char)set[i] == c) {
            return 1;
        }
    }
    return 0;
}

/* A word, or characters of a set, from a stream. */
void __fathom_read_word(char *to, size_t most)
{
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length >= 1 && length <= most);
    for (size_t i = 0; i < length; i++) {
        char c = __VERIFIER_nondet_char();
        __VERIFIER_assume(!is_space(c));
        to[i] = c;
    }
    to[length] = 0;
}

void __fathom_read_set(char *to, size_t most, const char *set, size_t size, int without)
{
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length >= 1 && length <= most);
    for (size_t i = 0; i < length; i++) {
        char c = __VERIFIER_nondet_char();
        __VERIFIER_assume(is_in(set, size, c) != without);
        to[i] = c;
    }
    to[length] = 0;
}

size_t __fathom_skip_space(const char *s, size_t at)
{
    while (is_space(s[at]))
        at++;
    return at;
}

size_t __fathom_match(const char *s, size_t at, int c)
{
    return s[at] == 0 ? (size_t)-1 : s[at] == (char)c ? at + 1 : (size_t)-2;
}

static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

/* A number of `bytes` bytes; `to` may be null. As glibc has it, one that is too large becomes the largest `long`, or `long long`
   if it is as large, and is then cut off. */
size_t __fathom_scan_number(const char *s, size_t at, size_t most, int base, int is_signed, void *to, int bytes)
{
    while (is_space(s[at]))
        at++;
    if (s[at] == 0)
        return -1;
    size_t end = most > (size_t)-3 - at ? (size_t)-3 : at + most;
    int negative = 0, found = 0, too_large = 0;
    if (at < end && (s[at] == '+' || s[at] == '-'))
        negative = s[at++] == '-';
    if (at < end && s[at] == '0' && (base == 0 || base == 16)) {
        found = 1;
        at++;
        if (at < end && (s[at] == 'x' || s[at] == 'X')) {
            if (at + 1 >= end || digit(s[at + 1]) >= 16)
                __fathom_unsupported_a_hexadecimal_number_without_digits();
            at++;
            base = 16;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    unsigned long long all = bytes > (int)sizeof(long) ? -1ull : (unsigned long)-1;
    unsigned long long limit = is_signed ? (all >> 1) + negative : all, value = 0;
    while (at < end && digit(s[at]) < base) {
        unsigned d = digit(s[at]);
        found = 1;
        if (value > limit / base || value * base > limit - d)
            too_large = 1;
        else
            value = value * base + d;
        at++;
    }
    if (!found)
        return s[at] == 0 && at < end ? -1 : -2;
    if (too_large)
        value = is_signed ? (negative ? -limit : limit) : all;
    else if (negative)
        value = -value;
    if (to == 0)
        return at;
    if (bytes == 1)
        *(char *)to = value;
    else if (bytes == 2)
        *(short *)to = value;
    else if (bytes == 4)
        *(int *)to = value;
    else
        *(long long *)to = value;
    return at;
}

/* Stores so many characters; they must not overlap with the string that is read. */
static void store(char *to, const char *from, size_t n)
{
    __fathom_disjoint(to, n, from, n);
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

size_t __fathom_scan_word(const char *s, size_t at, size_t most, char *to)
{
    while (is_space(s[at]))
        at++;
    if (s[at] == 0)
        return -1;
    size_t n = 0;
    while (n < most && s[at + n] != 0 && !is_space(s[at + n]))
        n++;
    if (to != 0) {
        store(to, s + at, n);
        to[n] = 0;
    }
    return at + n;
}

size_t __fathom_scan_set(const char *s, size_t at, size_t most, char *to, const char *set, size_t size, int without)
{
    if (s[at] == 0)
        return -1;
    size_t n = 0;
    while (n < most && s[at + n] != 0 && is_in(set, size, s[at + n]) != without)
        n++;
    if (n == 0)
        return -2;
    if (to != 0) {
        store(to, s + at, n);
        to[n] = 0;
    }
    return at + n;
}

size_t __fathom_scan_chars(const char *s, size_t at, size_t most, char *to)
{
    if (s[at] == 0)
        return -1;
    size_t n = 0;
    while (n < most && s[at + n] != 0)
        n++;
    if (to != 0)
        store(to, s + at, n);
    return at + n;
}
