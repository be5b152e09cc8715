/* Input and the world outside: what comes from there is arbitrary. With no choice made, there is nothing. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void __fathom_havoc(void *, size_t);
void *__fathom_object(size_t);

int getchar(void)
{
    int c = __VERIFIER_nondet_uchar();
    return __VERIFIER_nondet_bool() ? c : -1;
}

int fgetc(void *stream)
{
    return getchar();
}

int getc(void *stream)
{
    return getchar();
}

char *fgets(char *to, int size, void *stream)
{
    if (size <= 0 || !__VERIFIER_nondet_bool())
        return 0;
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length < (size_t)size);
    __fathom_havoc(to, length);
    to[length] = 0;
    return to;
}

void *fopen(const char *name, const char *mode)
{
    return __VERIFIER_nondet_bool() ? __fathom_object(1) : 0;
}

static char *some_text(void)
{
    size_t length = __VERIFIER_nondet_ushort();
    char *text = __fathom_object(length + 1);
    text[length] = 0;
    return text;
}

char *getenv(const char *name)
{
    return __VERIFIER_nondet_bool() ? some_text() : 0;
}

char *strerror(int error)
{
    return some_text();
}
