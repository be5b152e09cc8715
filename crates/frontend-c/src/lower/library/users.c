/* Users and groups by their names and numbers: there is one or not, and what is found is arbitrary but for what was asked. Each call
   fills the same objects anew. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void *__fathom_object(size_t);
void __fathom_fail(void);

struct passwd {
    char *name, *password;
    unsigned user, group;
    char *remark, *folder, *shell;
};

struct group {
    char *name, *password;
    unsigned group;
    char **members;
};

static struct passwd found_user;
static struct group found_group;

static char *some_text(void)
{
    size_t length = __VERIFIER_nondet_ushort();
    char *text = __fathom_object(length + 1);
    text[length] = 0;
    return text;
}

static char *copy(const char *s)
{
    size_t length = 0;
    while (s[length] != 0)
        length++;
    char *text = __fathom_object(length + 1);
    for (size_t i = 0; i <= length; i++)
        text[i] = s[i];
    return text;
}

/* If there is none, errno need not be set. */
static int is_found(void)
{
    if (__VERIFIER_nondet_bool())
        return 1;
    if (__VERIFIER_nondet_bool())
        __fathom_fail();
    return 0;
}

static struct passwd *fill_user(char *name, unsigned user)
{
    found_user.name = name;
    found_user.password = some_text();
    found_user.user = user;
    found_user.group = __VERIFIER_nondet_uint();
    found_user.remark = some_text();
    found_user.folder = some_text();
    found_user.shell = some_text();
    return &found_user;
}

struct passwd *getpwnam(const char *name)
{
    char *own = copy(name);
    return is_found() ? fill_user(own, __VERIFIER_nondet_uint()) : 0;
}

struct passwd *getpwuid(unsigned user)
{
    return is_found() ? fill_user(some_text(), user) : 0;
}

static struct group *fill_group(char *name, unsigned group)
{
    size_t count = __VERIFIER_nondet_ushort();
    char **members = __fathom_object((count + 1) * sizeof *members);
    for (size_t i = 0; i < count; i++)
        members[i] = some_text();
    members[count] = 0;
    found_group.name = name;
    found_group.password = some_text();
    found_group.group = group;
    found_group.members = members;
    return &found_group;
}

struct group *getgrnam(const char *name)
{
    char *own = copy(name);
    return is_found() ? fill_group(own, __VERIFIER_nondet_uint()) : 0;
}

struct group *getgrgid(unsigned group)
{
    return is_found() ? fill_group(some_text(), group) : 0;
}

/* With no room, how many there are. */
int getgroups(int room, unsigned *to)
{
    int count = __VERIFIER_nondet_int();
    if (room < 0 || count < 0 || (room > 0 && count > room)) {
        __fathom_fail();
        return -1;
    }
    for (int i = 0; i < count && room > 0; i++)
        to[i] = __VERIFIER_nondet_uint();
    return count;
}
