/* Numbers from strings, sorting and searching. */

typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
_Bool __VERIFIER_nondet_bool(void);
size_t __VERIFIER_nondet_ulong(void);
void *__fathom_object(size_t);
void __fathom_set_errno(int);
int __fathom_comparators_are_pure(void);
int __fathom_comparisons_matter(void);
void __fathom_readable(const void *, size_t);
void __fathom_writable(const void *, size_t);
void __fathom_unsupported_a_comparison_function_with_effects(void);

static int is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
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

/* Reads a number whose magnitude is at most `most`, or one more if it is negative and `extra` is 1. Since C23, binary
   numbers may begin with `0b`. */
static unsigned long long number(const char *s, char **end, int base, unsigned long long most, int extra, int binary)
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
    } else if (binary && (base == 0 || base == 2) && s[i] == '0' && (s[i + 1] == 'b' || s[i + 1] == 'B')
               && digit(s[i + 2]) < 2) {
        i += 2;
        base = 2;
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
        *end = (char *)s + (found ? i : 0);
    if (too_large) {
        __fathom_set_errno(34);
        /* Without a sign, what is too large is the largest, and not negated. */
        return negative && extra ? -limit : limit;
    }
    return negative ? -value : value;
}

long strtol(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long)-1 >> 1, 1, 0);
}

long long strtoll(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long long)-1 >> 1, 1, 0);
}

long long strtoq(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

long long strtoimax(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long)-1, 0, 0);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long long)-1, 0, 0);
}

unsigned long long strtouq(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

unsigned long long strtoumax(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

long __isoc23_strtol(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long)-1 >> 1, 1, 1);
}

long long __isoc23_strtoll(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long long)-1 >> 1, 1, 1);
}

long long __isoc23_strtoimax(const char *s, char **end, int base)
{
    return __isoc23_strtoll(s, end, base);
}

unsigned long __isoc23_strtoul(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long)-1, 0, 1);
}

unsigned long long __isoc23_strtoull(const char *s, char **end, int base)
{
    return number(s, end, base, (unsigned long long)-1, 0, 1);
}

unsigned long long __isoc23_strtoumax(const char *s, char **end, int base)
{
    return __isoc23_strtoull(s, end, base);
}

int atoi(const char *s)
{
    return (int)strtol(s, 0, 10);
}

long atol(const char *s)
{
    return strtol(s, 0, 10);
}

long long atoll(const char *s)
{
    return strtoll(s, 0, 10);
}

/* A comparison, by a function with or without a further argument. */
static int ask(int (*two)(const void *, const void *), int (*three)(const void *, const void *, void *), void *more,
               const void *a, const void *b)
{
    return three != 0 ? three(a, b, more) : two(a, b);
}

/* How often and on which elements the comparison is called is left open. That cannot be seen if it has no effects, except
   for what one of its calls does wrong: so one arbitrary pair is compared for all. */
static void compare_some(char *start, size_t count, size_t size, int (*two)(const void *, const void *),
                         int (*three)(const void *, const void *, void *), void *more)
{
    if (!__fathom_comparators_are_pure())
        __fathom_unsupported_a_comparison_function_with_effects();
    if (__fathom_comparisons_matter()) {
        size_t i = __VERIFIER_nondet_ulong(), j = __VERIFIER_nondet_ulong();
        if (i < count && j < count && i != j)
            ask(two, three, more, start + i * size, start + j * size);
    }
}

/* The bytes of an array; more than there can be if their number does not fit. */
static size_t bytes(size_t count, size_t size)
{
    return size != 0 && count > (size_t)-1 / size ? (size_t)-1 : count * size;
}

/* Insertion sort. The order of equal elements is left open. */
static void sort(char *start, size_t count, size_t size, int (*two)(const void *, const void *),
                 int (*three)(const void *, const void *, void *), void *more)
{
    if (count > 0)
        __fathom_writable(start, bytes(count, size));
    char *element = __fathom_object(size);
    compare_some(start, count, size, two, three, more);
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        while (j > 0) {
            int order = ask(two, three, more, start + (j - 1) * size, start + i * size);
            if (order < 0 || (order == 0 && !__VERIFIER_nondet_bool()))
                break;
            j--;
        }
        if (j < i) {
            memcpy(element, start + i * size, size);
            memmove(start + (j + 1) * size, start + j * size, (i - j) * size);
            memcpy(start + j * size, element, size);
        }
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    sort(base, count, size, compare, 0, 0);
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *more)
{
    sort(base, count, size, 0, compare, more);
}

/* Which of several equal elements is found is left open. */
void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    if (count > 0)
        __fathom_readable(base, bytes(count, size));
    if (!__fathom_comparators_are_pure())
        __fathom_unsupported_a_comparison_function_with_effects();
    if (__fathom_comparisons_matter()) {
        size_t any = __VERIFIER_nondet_ulong();
        if (any < count)
            compare(key, (const char *)base + any * size);
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) {
            size_t other = low + __VERIFIER_nondet_ulong();
            const char *also = (const char *)base + other * size;
            if (other > low && other < high && compare(key, also) == 0)
                return (void *)also;
            return (void *)element;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* Linear search. */
void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
    for (size_t i = 0; i < *count; i++) {
        const char *element = (const char *)base + i * size;
        if (compare(key, element) == 0)
            return (void *)element;
    }
    return 0;
}

typedef struct {
    int quot, rem;
} div_t;

typedef struct {
    long quot, rem;
} ldiv_t;

typedef struct {
    long long quot, rem;
} lldiv_t;

div_t div(int number, int by)
{
    div_t result = {number / by, number % by};
    return result;
}

ldiv_t ldiv(long number, long by)
{
    ldiv_t result = {number / by, number % by};
    return result;
}

lldiv_t lldiv(long long number, long long by)
{
    lldiv_t result = {number / by, number % by};
    return result;
}

lldiv_t imaxdiv(long long number, long long by)
{
    return lldiv(number, by);
}
