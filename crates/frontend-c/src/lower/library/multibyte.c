/* Characters of several bytes, in the C locale: each has one byte. What the others than ASCII's are is refused. */

typedef unsigned long size_t;
typedef int wchar_t;
void __fathom_set_errno(int);
void __fathom_unsupported_a_character_that_is_not_ASCII(void);

static int to_wide(char c)
{
    if (c < 0)
        __fathom_unsupported_a_character_that_is_not_ASCII();
    return c;
}

static char to_narrow(int c)
{
    if (c < 0 || c > 127)
        __fathom_unsupported_a_character_that_is_not_ASCII();
    return (char)c;
}

size_t __ctype_get_mb_cur_max(void)
{
    return 1;
}

/* With null, it says that no character has a state. */
int mbtowc(wchar_t *to, const char *s, size_t n)
{
    if (s == 0)
        return 0;
    if (n == 0)
        return -1;
    wchar_t c = to_wide(*s);
    if (to != 0)
        *to = c;
    return c != 0;
}

int mblen(const char *s, size_t n)
{
    return mbtowc(0, s, n);
}

int wctomb(char *s, wchar_t c)
{
    if (s == 0)
        return 0;
    *s = to_narrow(c);
    return 1;
}

/* The state stays what it is: the initial one. */
size_t mbrtowc(wchar_t *to, const char *s, size_t n, void *state)
{
    if (s == 0)
        return 0;
    if (n == 0)
        return (size_t)-2;
    return mbtowc(to, s, n);
}

size_t mbrlen(const char *s, size_t n, void *state)
{
    return mbrtowc(0, s, n, state);
}

size_t wcrtomb(char *s, wchar_t c, void *state)
{
    if (s != 0)
        *s = to_narrow(c);
    return 1;
}

int mbsinit(const void *state)
{
    return 1;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; to == 0 || i < n; i++) {
        wchar_t c = to_wide(from[i]);
        if (to != 0)
            to[i] = c;
        if (c == 0)
            break;
    }
    return i;
}

size_t wcstombs(char *to, const wchar_t *from, size_t n)
{
    size_t i = 0;
    for (; to == 0 || i < n; i++) {
        char c = to_narrow(from[i]);
        if (to != 0)
            to[i] = c;
        if (c == 0)
            break;
    }
    return i;
}

/* Where the end was converted, the source becomes null; else it is what was not converted yet. */
size_t mbsrtowcs(wchar_t *to, const char **from, size_t n, void *state)
{
    size_t done = mbstowcs(to, *from, n);
    if (to != 0)
        *from = done < n ? 0 : *from + done;
    return done;
}

size_t wcsrtombs(char *to, const wchar_t **from, size_t n, void *state)
{
    size_t done = wcstombs(to, *from, n);
    if (to != 0)
        *from = done < n ? 0 : *from + done;
    return done;
}
