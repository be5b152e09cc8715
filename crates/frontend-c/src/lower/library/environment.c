/* The environment: a variable has an arbitrary value or none, which stays until it is changed. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
unsigned short __VERIFIER_nondet_ushort(void);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
size_t strlen(const char *);
void *memcpy(void *, const void *, size_t);
void *__fathom_object(size_t);
void __fathom_set_errno(int);
int __fathom_sees_environ(void);
void __fathom_unsupported_the_environment_both_by_names_and_as_a_whole(void);
void __fathom_unsupported_more_than_8_variables_of_the_environment(void);

enum { MOST = 8 };
static int count;
static char *names[MOST], *values[MOST];
static _Bool cleared;

static char *copy(const char *s, size_t length)
{
    char *text = __fathom_object(length + 1);
    memcpy(text, s, length);
    text[length] = 0;
    return text;
}

/* What a variable is at first. */
char *__fathom_environment(void)
{
    if (!__VERIFIER_nondet_bool())
        return 0;
    size_t most = __VERIFIER_nondet_ushort();
    char *text = __fathom_object(most + 1);
    text[most] = 0;
    return text;
}

/* The number of a variable whose name has a length. */
static int find(const char *name, size_t length)
{
    if (__fathom_sees_environ())
        __fathom_unsupported_the_environment_both_by_names_and_as_a_whole();
    for (int i = 0; i < count; i++)
        if (strncmp(names[i], name, length) == 0 && names[i][length] == 0)
            return i;
    if (count == MOST)
        __fathom_unsupported_more_than_8_variables_of_the_environment();
    names[count] = copy(name, length);
    values[count] = cleared ? 0 : __fathom_environment();
    count++;
    return count - 1;
}

char *__fathom_getenv(const char *name)
{
    return values[find(name, strlen(name))];
}

char *secure_getenv(const char *name)
{
    char *value = __fathom_getenv(name);
    return __VERIFIER_nondet_bool() ? value : 0;
}

static int is_name(const char *name)
{
    if (name == 0 || name[0] == 0) {
        __fathom_set_errno(22);
        return 0;
    }
    for (size_t i = 0; name[i] != 0; i++)
        if (name[i] == '=') {
            __fathom_set_errno(22);
            return 0;
        }
    return 1;
}

int setenv(const char *name, const char *value, int overwrite)
{
    if (!is_name(name))
        return -1;
    int i = find(name, strlen(name));
    if (values[i] == 0 || overwrite) {
        if (__VERIFIER_nondet_bool()) {
            __fathom_set_errno(12);
            return -1;
        }
        values[i] = copy(value, strlen(value));
    }
    return 0;
}

int unsetenv(const char *name)
{
    if (!is_name(name))
        return -1;
    values[find(name, strlen(name))] = 0;
    return 0;
}

/* The string itself becomes part of the environment. */
int putenv(char *assignment)
{
    size_t length = 0;
    while (assignment[length] != 0 && assignment[length] != '=')
        length++;
    int i = find(assignment, length);
    if (__VERIFIER_nondet_bool()) {
        __fathom_set_errno(12);
        return -1;
    }
    values[i] = assignment[length] == 0 ? 0 : assignment + length + 1;
    return 0;
}

int clearenv(void)
{
    if (__fathom_sees_environ())
        __fathom_unsupported_the_environment_both_by_names_and_as_a_whole();
    count = 0;
    cleared = 1;
    return 0;
}
