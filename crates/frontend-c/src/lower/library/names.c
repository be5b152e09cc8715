/* Files by their names: what names there are is left open, and everything may fail. __fathom_fail sets errno. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void *malloc(size_t);
void __fathom_havoc(void *, size_t);
void __fathom_fail(void);
int __fathom_looks_at_memory(void);
int __fathom_descriptor(void);

static void text(const char *s)
{
    if (__fathom_looks_at_memory())
        for (size_t i = 0; s[i] != 0; i++)
            ;
}

static int zero_or_error(void)
{
    if (!__VERIFIER_nondet_bool())
        return 0;
    __fathom_fail();
    return -1;
}

static char *some_text(char *to, size_t size)
{
    size_t length = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(length < size);
    __fathom_havoc(to, length);
    for (size_t i = 0; i < length; i++)
        __VERIFIER_assume(to[i] != 0);
    to[length] = 0;
    return to;
}

int access(const char *name, int mode)
{
    text(name);
    return zero_or_error();
}

int unlink(const char *name)
{
    text(name);
    return zero_or_error();
}

int rmdir(const char *name)
{
    text(name);
    return zero_or_error();
}

int chdir(const char *name)
{
    text(name);
    return zero_or_error();
}

int link(const char *from, const char *to)
{
    text(from);
    text(to);
    return zero_or_error();
}

int symlink(const char *from, const char *to)
{
    text(from);
    text(to);
    return zero_or_error();
}

long read(int, void *, size_t);

long readlink(const char *name, char *to, size_t most)
{
    text(name);
    return read(0, to, most);
}

char *getcwd(char *to, size_t size)
{
    if (!__VERIFIER_nondet_bool() || (to != 0 && size < 2)) {
        __fathom_fail();
        return 0;
    }
    if (to == 0) {
        if (size == 0)
            size = 4096;
        to = malloc(size);
        if (to == 0)
            return 0;
    }
    some_text(to, size);
    __VERIFIER_assume(to[0] == '/');
    return to;
}

char *__getcwd_chk(char *to, size_t size, size_t room)
{
    return getcwd(to, size);
}

/* The six X at the end of the name become letters. */
static int replace(char *name, size_t behind)
{
    size_t length = 0;
    while (name[length] != 0)
        length++;
    if (length < behind + 6)
        return -1;
    char *letters = name + length - behind - 6;
    for (int i = 0; i < 6; i++)
        if (letters[i] != 'X')
            return -1;
    __fathom_havoc(letters, 6);
    for (int i = 0; i < 6; i++)
        __VERIFIER_assume((letters[i] >= '0' && letters[i] <= '9') || (letters[i] >= 'A' && letters[i] <= 'Z')
                          || (letters[i] >= 'a' && letters[i] <= 'z'));
    return 0;
}

static int make(char *name, int behind)
{
    if (behind < 0 || replace(name, behind) < 0) {
        __fathom_fail();
        return -1;
    }
    if (!__VERIFIER_nondet_bool())
        return __fathom_descriptor();
    __fathom_fail();
    return -1;
}

int mkstemp(char *name)
{
    return make(name, 0);
}

int mkostemp(char *name, int flags)
{
    return make(name, 0);
}

int mkstemps(char *name, int behind)
{
    return make(name, behind);
}

char *mkdtemp(char *name)
{
    if (replace(name, 0) == 0 && __VERIFIER_nondet_bool())
        return name;
    __fathom_fail();
    return 0;
}

char *mktemp(char *name)
{
    if (replace(name, 0) < 0 || __VERIFIER_nondet_bool()) {
        __fathom_fail();
        name[0] = 0;
    }
    return name;
}

/* A name of at most 4095 characters, in memory that is to be freed if no other is given. */
char *realpath(const char *name, char *to)
{
    if (name == 0) {
        __fathom_fail();
        return 0;
    }
    text(name);
    if (__VERIFIER_nondet_bool()) {
        __fathom_fail();
        return 0;
    }
    if (to == 0) {
        to = malloc(4096);
        if (to == 0)
            return 0;
    }
    some_text(to, 4096);
    __VERIFIER_assume(to[0] == '/');
    return to;
}

char *__realpath_chk(const char *name, char *to, size_t room)
{
    return realpath(name, to);
}

int remove(const char *name)
{
    text(name);
    return zero_or_error();
}

int rename(const char *from, const char *to)
{
    text(from);
    text(to);
    return zero_or_error();
}

char *tmpnam(char *to)
{
    static char name[20];
    if (__VERIFIER_nondet_bool())
        return 0;
    if (to == 0)
        to = name;
    __fathom_havoc(to, 19);
    to[19] = 0;
    return to;
}
