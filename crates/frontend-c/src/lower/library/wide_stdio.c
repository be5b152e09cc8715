/* Wide characters of streams. What is kept of a stream is known by stdio.c. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
unsigned long __VERIFIER_nondet_ulong(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __fathom_havoc(void *, size_t);
void __fathom_stream(void *);
void __fathom_fail(void);
int __fathom_looks_at_memory(void);
void __fathom_made_up(void);
void *__fathom_standard_stream(int);
void __fathom_note_stream(void *, int);
void __fathom_end_reading(void *);
int __fathom_is_at_end(void *);

enum { AT_END = 1, FAILED = 2 };

/* What writing gives that may fail. */
static int written(void *stream, int result)
{
    if (result >= 0)
        return result;
    __fathom_fail();
    __fathom_note_stream(stream, FAILED);
    return -1;
}

static void wide_text(const int *s)
{
    if (__fathom_looks_at_memory())
        for (size_t i = 0; s[i] != 0; i++)
            ;
}

int *fgetws(int *to, int size, void *stream)
{
    __fathom_stream(stream);
    if (size <= 0 || __fathom_is_at_end(stream))
        return 0;
    if (size == 1) {
        to[0] = 0;
        return to;
    }
    if (!__VERIFIER_nondet_bool()) {
        __fathom_end_reading(stream);
        return 0;
    }
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length >= 1 && length < (size_t)size);
    __fathom_havoc(to, length * sizeof(int));
    for (size_t i = 0; i + 1 < length; i++)
        __VERIFIER_assume(to[i] != '\n');
    if (length + 1 < (size_t)size && to[length - 1] != '\n')
        __fathom_note_stream(stream, AT_END);
    to[length] = 0;
    return to;
}

int fputws(const int *s, void *stream)
{
    __fathom_stream(stream);
    wide_text(s);
    return written(stream, __VERIFIER_nondet_int());
}

static unsigned wide_character(int c, void *stream)
{
    return written(stream, -__VERIFIER_nondet_bool()) < 0 ? (unsigned)-1 : (unsigned)c;
}

unsigned putwchar(int c)
{
    return wide_character(c, __fathom_standard_stream(1));
}

/* That the character comes again is not known: behind the call, coming to an error says nothing. */
unsigned ungetwc(unsigned c, void *stream)
{
    __fathom_stream(stream);
    __fathom_made_up();
    return c == -1u || __VERIFIER_nondet_bool() ? -1u : c;
}

static unsigned next_wide(void *stream)
{
    unsigned c = __VERIFIER_nondet_int();
    if (__fathom_is_at_end(stream))
        return -1u;
    if (c <= 0x10ffff)
        return c;
    __fathom_end_reading(stream);
    return -1u;
}

unsigned getwchar(void)
{
    return next_wide(__fathom_standard_stream(0));
}

unsigned fgetwc(void *stream)
{
    __fathom_stream(stream);
    return next_wide(stream);
}

unsigned getwc(void *stream)
{
    return fgetwc(stream);
}

unsigned fputwc(int c, void *stream)
{
    __fathom_stream(stream);
    return wide_character(c, stream);
}

unsigned putwc(int c, void *stream)
{
    return fputwc(c, stream);
}
