/* Numbers from strings, sorting and searching. */

typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);
void *malloc(size_t);
void free(void *);

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

static _Thread_local int error_number;

int *__errno_location(void)
{
    return &error_number;
}

/* Reads a number whose magnitude is at most `most`, or one more if it is negative and `extra` is 1. */
static unsigned long long number(const char *s, char **end, int base, unsigned long long most, int extra, int *negative)
{
    size_t i = 0;
    int found = 0, too_large = 0;
    unsigned long long value = 0;
    *negative = 0;
    while (is_space(s[i]))
        i++;
    if (s[i] == '+' || s[i] == '-')
        *negative = s[i++] == '-';
    if ((base == 0 || base == 16) && s[i] == '0' && (s[i + 1] == 'x' || s[i + 1] == 'X') && digit(s[i + 2]) < 16) {
        i += 2;
        base = 16;
    } else if (base == 0) {
        base = s[i] == '0' ? 8 : 10;
    }
    unsigned long long limit = *negative ? most + extra : most;
    while (digit(s[i]) < base) {
        unsigned d = digit(s[i]);
        found = 1;
        if (value > (limit - d) / base || limit < d)
            too_large = 1;
        else
            value = value * base + d;
        i++;
    }
    if (end != 0)
        *end = (char *)s + (found ? i : 0);
    if (too_large) {
        error_number = 34;
        return limit;
    }
    return value;
}

long strtol(const char *s, char **end, int base)
{
    int negative;
    unsigned long long value = number(s, end, base, (unsigned long)-1 >> 1, 1, &negative);
    return negative ? -value : value;
}

long long strtoll(const char *s, char **end, int base)
{
    int negative;
    unsigned long long value = number(s, end, base, (unsigned long long)-1 >> 1, 1, &negative);
    return negative ? -value : value;
}

unsigned long strtoul(const char *s, char **end, int base)
{
    int negative;
    unsigned long long value = number(s, end, base, (unsigned long)-1, 0, &negative);
    return negative ? -value : value;
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    int negative;
    unsigned long long value = number(s, end, base, (unsigned long long)-1, 0, &negative);
    return negative ? -value : value;
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

/* Insertion sort: the order of equal elements is not fixed, and this one keeps it. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    char *start = base;
    char *element = malloc(size);
    for (size_t i = 1; i < count; i++) {
        size_t j = i;
        memcpy(element, start + i * size, size);
        while (j > 0 && compare(start + (j - 1) * size, element) > 0) {
            memcpy(start + j * size, start + (j - 1) * size, size);
            j--;
        }
        memcpy(start + j * size, element, size);
    }
    free(element);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}
