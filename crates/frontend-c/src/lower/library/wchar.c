/* Strings of wide characters: each function as C11's 7.29.4 says what it gives. */

typedef unsigned long size_t;
typedef int wchar_t;
void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int __fathom_order(int);
void __fathom_readable(const void *, size_t);
void __fathom_disjoint(const void *, size_t, const void *, size_t);

/* As many bytes as so many wide characters have. */
static size_t bytes(size_t count)
{
    return count * sizeof(wchar_t);
}

static int order(wchar_t a, wchar_t b)
{
    return __fathom_order((a > b) - (a < b));
}

size_t wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

size_t wcsnlen(const wchar_t *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n] != 0)
        n++;
    return n;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
    size_t i = 0;
    while ((to[i] = from[i]) != 0)
        i++;
    __fathom_disjoint(to, bytes(i + 1), from, bytes(i + 1));
    return to + i;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    wcpcpy(to, from);
    return to;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t i = 0;
    while (i < n && from[i] != 0) {
        to[i] = from[i];
        i++;
    }
    size_t end = i;
    while (i < n)
        to[i++] = 0;
    __fathom_disjoint(to, bytes(n), from, bytes(end < n ? end + 1 : n));
    return to + end;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    wcpncpy(to, from, n);
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from)
{
    wcpcpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t end = wcslen(to), i = 0;
    while (i < n && from[i] != 0) {
        to[end + i] = from[i];
        i++;
    }
    to[end + i] = 0;
    __fathom_disjoint(to + end, bytes(i + 1), from, bytes(i < n ? i + 1 : n));
    return to;
}

int wcscmp(const wchar_t *a, const wchar_t *b)
{
    size_t i = 0;
    while (a[i] != 0 && a[i] == b[i])
        i++;
    return order(a[i], b[i]);
}

int wcscoll(const wchar_t *a, const wchar_t *b)
{
    return wcscmp(a, b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] != 0 && a[i] == b[i])
        i++;
    return i == n ? 0 : order(a[i], b[i]);
}

static wchar_t lower(wchar_t c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
    size_t i = 0;
    while (a[i] != 0 && lower(a[i]) == lower(b[i]))
        i++;
    return order(lower(a[i]), lower(b[i]));
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] != 0 && lower(a[i]) == lower(b[i]))
        i++;
    return i == n ? 0 : order(lower(a[i]), lower(b[i]));
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    size_t i = 0;
    while (s[i] != c) {
        if (s[i] == 0)
            return 0;
        i++;
    }
    return (wchar_t *)s + i;
}

wchar_t *wcschrnul(const wchar_t *s, wchar_t c)
{
    size_t i = 0;
    while (s[i] != 0 && s[i] != c)
        i++;
    return (wchar_t *)s + i;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    wchar_t *found = 0;
    size_t i = 0;
    for (;;) {
        if (s[i] == c)
            found = (wchar_t *)s + i;
        if (s[i] == 0)
            return found;
        i++;
    }
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part)
{
    size_t i = 0;
    for (;;) {
        size_t j = 0;
        while (part[j] != 0 && s[i + j] == part[j])
            j++;
        if (part[j] == 0)
            return (wchar_t *)s + i;
        if (s[i] == 0)
            return 0;
        i++;
    }
}

static int among(wchar_t c, const wchar_t *set)
{
    size_t i = 0;
    while (set[i] != 0) {
        if (set[i] == c)
            return 1;
        i++;
    }
    return 0;
}

size_t wcsspn(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (s[n] != 0 && among(s[n], set))
        n++;
    return n;
}

size_t wcscspn(const wchar_t *s, const wchar_t *set)
{
    size_t n = 0;
    while (s[n] != 0 && !among(s[n], set))
        n++;
    return n;
}

wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
    size_t n = wcscspn(s, set);
    return s[n] != 0 ? (wchar_t *)s + n : 0;
}

wchar_t *wcstok(wchar_t *s, const wchar_t *separators, wchar_t **rest)
{
    if (s == 0)
        s = *rest;
    if (s == 0)
        return 0;
    s += wcsspn(s, separators);
    if (*s == 0) {
        *rest = 0;
        return 0;
    }
    wchar_t *end = s + wcscspn(s, separators);
    if (*end != 0) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = 0;
    }
    return s;
}

wchar_t *wcsdup(const wchar_t *s)
{
    size_t n = wcslen(s) + 1;
    wchar_t *copy = malloc(bytes(n));
    if (copy != 0)
        memcpy(copy, s, bytes(n));
    return copy;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
    return memcpy(to, from, bytes(n));
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n)
{
    memcpy(to, from, bytes(n));
    return to + n;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    return memmove(to, from, bytes(n));
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    __fathom_readable(a, bytes(n));
    __fathom_readable(b, bytes(n));
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return order(a[i], b[i]);
    return 0;
}

wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)(s + i);
    return 0;
}

/* In the C locale, the ASCII characters are those that have one byte. */
unsigned btowc(int c)
{
    return c >= 0 && c < 128 ? c : -1u;
}

int wctob(unsigned c)
{
    return c < 128 ? (int)c : -1;
}
