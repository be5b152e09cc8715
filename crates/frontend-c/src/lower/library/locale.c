/* The locale is the C locale, the only one that the models know. */

typedef unsigned long size_t;
unsigned char __VERIFIER_nondet_uchar(void);
int strcmp(const char *, const char *);
void __fathom_assume_c_locale(void);
void __fathom_unsupported_another_locale_than_C(void);

/* That of the environment is assumed to be C; others by their names may be missing, or are refused. */
char *setlocale(int category, const char *name)
{
    if (name == 0 || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0)
        return (char *)"C";
    if (name[0] != 0) {
        if (__VERIFIER_nondet_uchar() == 0)
            return 0;
        __fathom_unsupported_another_locale_than_C();
    }
    __fathom_assume_c_locale();
    return (char *)"C";
}

struct lconv {
    char *decimal_point, *texts[9], numbers[14];
};

struct lconv *localeconv(void)
{
    static struct lconv conventions;
    conventions.decimal_point = (char *)".";
    for (int i = 0; i < 9; i++)
        conventions.texts[i] = (char *)"";
    for (int i = 0; i < 14; i++)
        conventions.numbers[i] = 127;
    return &conventions;
}
