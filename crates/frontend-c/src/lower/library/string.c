/* Strings: each function as C11's 7.24 and POSIX say what it gives. */

typedef unsigned long size_t;
void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
int __fathom_order(int);
void __fathom_havoc(void *, size_t);
void __fathom_readable(const void *, size_t);
void __fathom_writable(void *, size_t);
void __fathom_disjoint(const void *, size_t, const void *, size_t);

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
    __fathom_disjoint(to, i + 1, from, i + 1);
    return to;
}

char *__strcpy_chk(char *to, const char *from, size_t size)
{
    return strcpy(to, from);
}

/* As strcpy, but gives the end. */
char *stpcpy(char *to, const char *from)
{
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    __fathom_disjoint(to, i + 1, from, i + 1);
    return to + i;
}

char *stpncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    size_t end = i;
    while (i < n)
        to[i++] = 0;
    __fathom_disjoint(to, n, from, end < n ? end + 1 : n);
    return to + end;
}

char *strncpy(char *to, const char *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    size_t end = i;
    while (i < n)
        to[i++] = 0;
    __fathom_disjoint(to, n, from, end < n ? end + 1 : n);
    return to;
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size)
{
    return strncpy(to, from, n);
}

/* OpenBSD's: at most size - 1 characters and a zero; gives the length of what was to be written. */
size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t n = 0;
    while (from[n] != 0) {
        if (n + 1 < size)
            to[n] = from[n];
        n++;
    }
    if (size > 0)
        to[n < size ? n : size - 1] = 0;
    __fathom_disjoint(to, n < size ? n + 1 : size, from, n + 1);
    return n;
}

size_t strlcat(char *to, const char *from, size_t size)
{
    size_t end = 0, i = 0;
    while (end < size && to[end] != 0)
        end++;
    while (from[i] != 0) {
        if (end + i + 1 < size)
            to[end + i] = from[i];
        i++;
    }
    if (end < size)
        to[end + i < size ? end + i : size - 1] = 0;
    __fathom_disjoint(to + end, end + i < size ? i + 1 : size - end, from, i + 1);
    return end + i;
}

char *strcat(char *to, const char *from)
{
    size_t end = 0, i = 0;
    while (to[end] != 0)
        end++;
    while ((to[end + i] = from[i]) != 0)
        i++;
    __fathom_disjoint(to + end, i + 1, from, i + 1);
    return to;
}

char *__strcat_chk(char *to, const char *from, size_t size)
{
    return strcat(to, from);
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
    __fathom_disjoint(to + end, i + 1, from, i < n ? i + 1 : n);
    return to;
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size)
{
    return strncat(to, from, n);
}

int strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return __fathom_order((unsigned char)a[i] - (unsigned char)b[i]);
}

int strncmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i])
        i++;
    return i == n ? 0 : __fathom_order((unsigned char)a[i] - (unsigned char)b[i]);
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
    return __fathom_order(lower((unsigned char)a[i]) - lower((unsigned char)b[i]));
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] != 0 && lower((unsigned char)a[i]) == lower((unsigned char)b[i]))
        i++;
    return i == n ? 0 : __fathom_order(lower((unsigned char)a[i]) - lower((unsigned char)b[i]));
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

char *strcasestr(const char *s, const char *part)
{
    size_t i = 0;
    for (;;) {
        size_t j = 0;
        while (part[j] != 0 && lower((unsigned char)s[i + j]) == lower((unsigned char)part[j]))
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
    /* All bytes may be read, also behind the first difference. */
    __fathom_readable(a, n);
    __fathom_readable(b, n);
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return __fathom_order(x[i] - y[i]);
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

void *rawmemchr(const void *s, int c)
{
    const unsigned char *bytes = s;
    size_t i = 0;
    while (bytes[i] != (unsigned char)c)
        i++;
    return (void *)(bytes + i);
}

void *memmem(const void *s, size_t n, const void *part, size_t length)
{
    const unsigned char *x = s, *y = part;
    __fathom_readable(s, n);
    __fathom_readable(part, length);
    for (size_t i = 0; length <= n && i <= n - length; i++) {
        size_t j = 0;
        while (j < length && x[i + j] == y[j])
            j++;
        if (j == length)
            return (void *)(x + i);
    }
    return 0;
}

/* Copies until the character is copied; gives what lies behind it. */
void *memccpy(void *to, const void *from, int c, size_t n)
{
    unsigned char *x = to;
    const unsigned char *y = from;
    for (size_t i = 0; i < n; i++) {
        x[i] = y[i];
        if (y[i] == (unsigned char)c) {
            __fathom_disjoint(to, i + 1, from, i + 1);
            return x + i + 1;
        }
    }
    __fathom_disjoint(to, n, from, n);
    return 0;
}

void explicit_bzero(void *to, size_t n)
{
    unsigned char *x = to;
    for (size_t i = 0; i < n; i++)
        x[i] = 0;
}

/* Exchanges the bytes of pairs. */
void swab(const void *from, void *to, long n)
{
    const char *x = from;
    char *y = to;
    for (long i = 0; i + 1 < n; i += 2) {
        y[i] = x[i + 1];
        y[i + 1] = x[i];
    }
    if (n > 1)
        __fathom_disjoint(to, n & ~1l, from, n & ~1l);
}

/* In the C locale, which is the only one here, as strcmp compares. */
int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

size_t strxfrm(char *to, const char *from, size_t n)
{
    size_t length = strlen(from);
    if (length < n) {
        strcpy(to, from);
    } else if (n > 0) {
        /* What the target holds then is left open. */
        __fathom_havoc(to, n);
    }
    return length;
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

char *__stpcpy(char *to, const char *from)
{
    return stpcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size)
{
    return stpcpy(to, from);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size)
{
    return stpncpy(to, from, n);
}

char *__strdup(const char *s)
{
    return strdup(s);
}

char *__strndup(const char *s, size_t most)
{
    return strndup(s, most);
}

/* Each byte with the bits of 42 changed. */
void *memfrob(void *s, size_t n)
{
    unsigned char *bytes = s;
    for (size_t i = 0; i < n; i++)
        bytes[i] ^= 42;
    return s;
}
