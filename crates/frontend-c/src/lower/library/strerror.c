/* What numbers of errors and signals mean, in words that are left open. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void __fathom_havoc(void *, size_t);
void *__fathom_object(size_t);

static char *some_text(void)
{
    size_t length = __VERIFIER_nondet_ushort();
    char *text = __fathom_object(length + 1);
    text[length] = 0;
    return text;
}

char *strerror(int error)
{
    return some_text();
}

char *strsignal(int number)
{
    return some_text();
}

/* GNU's, which need not use the buffer. */
char *strerror_r(int error, char *to, size_t size)
{
    if (size == 0 || __VERIFIER_nondet_bool())
        return some_text();
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length < size);
    __fathom_havoc(to, length);
    to[length] = 0;
    return to;
}

/* POSIX's: 0, EINVAL or ERANGE. */
int __xpg_strerror_r(int error, char *to, size_t size)
{
    if (size == 0)
        return 34;
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length < size);
    __fathom_havoc(to, length);
    to[length] = 0;
    return __VERIFIER_nondet_bool() ? 0 : __VERIFIER_nondet_bool() ? 22 : 34;
}
