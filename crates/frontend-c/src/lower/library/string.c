/* Strings: each function as C11's 7.24 and POSIX say what it gives. */

typedef unsigned long size_t;
void *malloc(size_t);
void *memcpy(void *, const void *, size_t);

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

size_t strnlen(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n;
}

char *strcpy(char *to, const char *from)
{
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    return to;
}

char *strncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    while (i < n)
        to[i++] = 0;
    return to;
}

char *strcat(char *to, const char *from)
{
    size_t end = 0, i = 0;
    while (to[end] != 0)
        end++;
    while ((to[end + i] = from[i]) != 0)
        i++;
    return to;
}

char *strncat(char *to, const char *from, size_t n)
{
    size_t end = 0, i = 0;
    while (to[end] != 0)
        end++;
    while (i < n && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    return to;
}

int strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i])
        i++;
    return i == n ? 0 : (unsigned char)a[i] - (unsigned char)b[i];
}

static int lower(int c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int strcasecmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != 0 && lower((unsigned char)a[i]) == lower((unsigned char)b[i]))
        i++;
    return lower((unsigned char)a[i]) - lower((unsigned char)b[i]);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] != 0 && lower((unsigned char)a[i]) == lower((unsigned char)b[i]))
        i++;
    return i == n ? 0 : lower((unsigned char)a[i]) - lower((unsigned char)b[i]);
}

char *strchr(const char *s, int c)
{
    size_t i = 0;
    while (s[i] != (char)c) {
        if (s[i] == 0)
            return 0;
        i++;
    }
    return (char *)s + i;
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *strchrnul(const char *s, int c)
{
    size_t i = 0;
    while (s[i] != 0 && s[i] != (char)c)
        i++;
    return (char *)s + i;
}

char *strrchr(const char *s, int c)
{
    char *found = 0;
    size_t i = 0;
    for (;;) {
        if (s[i] == (char)c)
            found = (char *)s + i;
        if (s[i] == 0)
            return found;
        i++;
    }
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

char *strstr(const char *s, const char *part)
{
    size_t i = 0;
    for (;;) {
        size_t j = 0;
        while (part[j] != 0 && s[i + j] == part[j])
            j++;
        if (part[j] == 0)
            return (char *)s + i;
        if (s[i] == 0)
            return 0;
        i++;
    }
}

static int among(char c, const char *set)
{
    size_t i = 0;
    while (set[i] != 0) {
        if (set[i] == c)
            return 1;
        i++;
    }
    return 0;
}

size_t strspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] != 0 && among(s[n], set))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] != 0 && !among(s[n], set))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    size_t n = strcspn(s, set);
    return s[n] != 0 ? (char *)s + n : 0;
}

char *strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    if (copy != 0)
        memcpy(copy, s, n);
    return copy;
}

char *strndup(const char *s, size_t most)
{
    size_t n = strnlen(s, most);
    char *copy = malloc(n + 1);
    if (copy != 0) {
        memcpy(copy, s, n);
        copy[n] = 0;
    }
    return copy;
}

int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

int bcmp(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] == (unsigned char)c)
            return (void *)(bytes + i);
    return 0;
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;
    while (n > 0)
        if (bytes[--n] == (unsigned char)c)
            return (void *)(bytes + n);
    return 0;
}

/* The number of the lowest bit that is set, counted from 1, or 0. */
int ffsll(long long value)
{
    return __builtin_ffsll(value);
}

int ffsl(long value)
{
    return __builtin_ffsll(value);
}

int ffs(int value)
{
    return __builtin_ffsll(value);
}
