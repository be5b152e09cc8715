/* Numbers with 64 digits: `.`, `/`, `0` to `9`, `A` to `Z`, `a` to `z`, the lowest first. */

_Bool __VERIFIER_nondet_bool(void);

static int value(char c)
{
    if (c >= '.' && c <= '9')
        return c - '.';
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 12;
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 38;
    return -1;
}

static char digit(unsigned n)
{
    return n < 12 ? '.' + n : n < 38 ? 'A' + n - 12 : 'a' + n - 38;
}

/* POSIX wants the sign of 32 bits, which glibc does not give to a wider type. */
long a64l(const char *s)
{
    unsigned number = 0;
    for (int i = 0; i < 6 && value(s[i]) >= 0; i++)
        number |= (unsigned)value(s[i]) << 6 * i;
    return __VERIFIER_nondet_bool() ? (long)(int)number : (long)number;
}

char *l64a(long number)
{
    static char text[7];
    unsigned rest = number;
    int i = 0;
    for (; rest != 0; rest >>= 6)
        text[i++] = digit(rest & 63);
    text[i] = 0;
    return text;
}
