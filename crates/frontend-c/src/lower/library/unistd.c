/* Files and processes by POSIX: results are in their ranges, and everything may fail. __fathom_fail sets errno. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __fathom_havoc(void *, size_t);
void __fathom_output(const void *, size_t);
void __fathom_show_write(int, const void *, size_t);
void __fathom_fail(void);
void __fathom_set_errno(int);
int __fathom_looks_at_memory(void);
void __fathom_unsupported_a_command_of_fcntl(void);
void __fathom_unsupported_more_than_16_open_files(void);
int __fathom_fork(void);
int __fathom_thread(void);

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

static int some_or_error(void)
{
    int result = __VERIFIER_nondet_int();
    if (result >= 0)
        return result;
    __fathom_fail();
    return -1;
}

static int fail_with_bad_file(void)
{
    __fathom_set_errno(9);
    return -1;
}

/* How many of `most` bytes were moved, or -1. */
static long moved(size_t most)
{
    long bytes = __VERIFIER_nondet_long();
    if (bytes < 0) {
        __fathom_fail();
        return -1;
    }
    __VERIFIER_assume((size_t)bytes <= most);
    return bytes;
}

long read(int file, void *to, size_t most)
{
    long bytes = moved(most);
    if (bytes > 0)
        __fathom_havoc(to, bytes);
    return bytes;
}

long pread(int file, void *to, size_t most, long place)
{
    return read(file, to, most);
}

long write(int file, const void *from, size_t bytes)
{
    __fathom_output(from, bytes);
    __fathom_show_write(file, from, bytes);
    return moved(bytes);
}

long pwrite(int file, const void *from, size_t bytes, long place)
{
    return write(file, from, bytes);
}

/* The files that the program opened. What was open before has the numbers 0 to 2, and perhaps others. */

enum { MOST_FILES = 16 };
static int files[MOST_FILES];
static int file_count;

static int is_open(int file)
{
    for (int i = 0; i < file_count; i++)
        if (files[i] == file)
            return 1;
    return 0;
}

/* A number that no open file has. The standard streams may be closed. */
int __fathom_descriptor(void)
{
    int file = __VERIFIER_nondet_int();
    __VERIFIER_assume(file >= 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(!is_open(file));
    if (file_count == MOST_FILES)
        __fathom_unsupported_more_than_16_open_files();
    files[file_count] = file;
    file_count++;
    __VERIFIER_atomic_end();
    return file;
}

/* A number is free again. */
void __fathom_close_descriptor(int file)
{
    __VERIFIER_atomic_begin();
    for (int i = 0; i < file_count; i++)
        if (files[i] == file) {
            file_count--;
            files[i] = files[file_count];
            break;
        }
    __VERIFIER_atomic_end();
}

static int new_file(void)
{
    if (!__VERIFIER_nondet_bool())
        return __fathom_descriptor();
    __fathom_fail();
    return -1;
}

int open(const char *name, int flags, ...)
{
    text(name);
    return new_file();
}

int open64(const char *name, int flags, ...)
{
    return open(name, flags);
}

int creat(const char *name, unsigned mode)
{
    return open(name, 0);
}

/* After an error, the number is free on Linux all the same; POSIX leaves it open. */
int close(int file)
{
    if (file < 0)
        return fail_with_bad_file();
    __fathom_close_descriptor(file);
    return zero_or_error();
}

long lseek(int file, long offset, int whence)
{
    long place = __VERIFIER_nondet_long();
    if (place >= 0)
        return place;
    __fathom_fail();
    return -1;
}

int pipe(int *ends)
{
    if (zero_or_error() < 0)
        return -1;
    ends[0] = __fathom_descriptor();
    ends[1] = __fathom_descriptor();
    return 0;
}

int pipe2(int *ends, int flags)
{
    return pipe(ends);
}

int dup(int file)
{
    return file < 0 ? fail_with_bad_file() : new_file();
}

int dup2(int file, int to)
{
    if (file < 0 || to < 0)
        return fail_with_bad_file();
    if (zero_or_error() < 0)
        return -1;
    __VERIFIER_atomic_begin();
    if (!is_open(to)) {
        if (file_count == MOST_FILES)
            __fathom_unsupported_more_than_16_open_files();
        files[file_count] = to;
        file_count++;
    }
    __VERIFIER_atomic_end();
    return to;
}

int dup3(int file, int to, int flags)
{
    if (file == to) {
        __fathom_set_errno(22);
        return -1;
    }
    return dup2(file, to);
}

/* The commands that take a number or nothing, and no pointer. */
int fcntl(int file, int command, ...)
{
    if (command < 0 || command > 4)
        __fathom_unsupported_a_command_of_fcntl();
    if (command == 0)
        return new_file();
    return command == 2 || command == 4 ? zero_or_error() : some_or_error();
}

int fsync(int file)
{
    return zero_or_error();
}

int ftruncate(int file, long length)
{
    return zero_or_error();
}

int isatty(int file)
{
    if (__VERIFIER_nondet_bool())
        return 1;
    __fathom_fail();
    return 0;
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

int gethostname(char *to, size_t size)
{
    if (size == 0 || zero_or_error() < 0)
        return -1;
    some_text(to, size);
    return 0;
}

unsigned sleep(unsigned seconds)
{
    unsigned left = __VERIFIER_nondet_uint();
    __VERIFIER_assume(left <= seconds);
    return left;
}

int usleep(unsigned time)
{
    return zero_or_error();
}

int nanosleep(const long *time, long *left)
{
    long seconds = time[0], part = time[1];
    if (zero_or_error() == 0)
        return 0;
    if (left != 0 && __VERIFIER_nondet_bool()) {
        left[0] = __VERIFIER_nondet_long();
        left[1] = __VERIFIER_nondet_long();
        __VERIFIER_assume(left[0] >= 0 && left[0] <= seconds && left[1] >= 0 && left[1] < 1000000000);
        __VERIFIER_assume(left[0] < seconds || left[1] <= part);
    }
    return -1;
}

unsigned alarm(unsigned seconds)
{
    return __VERIFIER_nondet_uint();
}

/* What names the process and its user does not change. */
static int known, process, user, effective_user, group, effective_group;
static _Bool knows_mask, knows_host;
static unsigned mask;
static long host;
static _Thread_local int own_number;

static void identify(void)
{
    __VERIFIER_atomic_begin();
    if (!known) {
        process = __VERIFIER_nondet_int();
        __VERIFIER_assume(process > 0);
        user = __VERIFIER_nondet_int();
        effective_user = __VERIFIER_nondet_int();
        group = __VERIFIER_nondet_int();
        effective_group = __VERIFIER_nondet_int();
        known = 1;
    }
    __VERIFIER_atomic_end();
}

int getpid(void)
{
    identify();
    return process;
}

unsigned getuid(void)
{
    identify();
    return user;
}

unsigned geteuid(void)
{
    identify();
    return effective_user;
}

unsigned getgid(void)
{
    identify();
    return group;
}

unsigned getegid(void)
{
    identify();
    return effective_group;
}

/* The process is a child of the one before, with a number of its own. */
static void become_a_child(void)
{
    identify();
    __VERIFIER_atomic_begin();
    int before = process;
    process = __VERIFIER_nondet_int();
    __VERIFIER_assume(process > 0 && process != before);
    own_number = 0;
    __VERIFIER_atomic_end();
}

int fork(void)
{
    int child = __fathom_fork();
    if (child == 0)
        become_a_child();
    return child;
}

int daemon(int stays, int keeps)
{
    if (zero_or_error() < 0)
        return -1;
    become_a_child();
    return 0;
}

/* The number of a thread is that of the process in the first one. */
int gettid(void)
{
    if (own_number == 0) {
        int number = __VERIFIER_nondet_int();
        identify();
        __VERIFIER_assume(number > 0);
        __VERIFIER_assume(__fathom_thread() != 0 || number == process);
        __VERIFIER_assume(__fathom_thread() == 0 || number != process);
        own_number = number;
    }
    return own_number;
}

unsigned umask(unsigned to)
{
    __VERIFIER_atomic_begin();
    unsigned before = knows_mask ? mask : __VERIFIER_nondet_uint() & 0777;
    knows_mask = 1;
    mask = to & 0777;
    __VERIFIER_atomic_end();
    return before;
}

long gethostid(void)
{
    __VERIFIER_atomic_begin();
    if (!knows_host)
        host = __VERIFIER_nondet_long();
    knows_host = 1;
    long result = host;
    __VERIFIER_atomic_end();
    return result;
}

/* Priorities of the policies 0 to 2 of Linux, and of others. */
static int priority_of(int policy, int of_real_time)
{
    if (policy == 1 || policy == 2)
        return of_real_time;
    if (policy == 0 || policy == 3 || policy == 5 || policy == 6)
        return 0;
    __fathom_set_errno(22);
    return -1;
}

int sched_get_priority_max(int policy)
{
    return priority_of(policy, 99);
}

int sched_get_priority_min(int policy)
{
    return priority_of(policy, 1);
}

int getppid(void)
{
    int parent = __VERIFIER_nondet_int();
    __VERIFIER_assume(parent >= 0);
    return parent;
}

/* What a change of users and groups makes of them is left open. */
static int change(void)
{
    if (zero_or_error() < 0)
        return -1;
    identify();
    __VERIFIER_atomic_begin();
    user = __VERIFIER_nondet_int();
    effective_user = __VERIFIER_nondet_int();
    group = __VERIFIER_nondet_int();
    effective_group = __VERIFIER_nondet_int();
    __VERIFIER_atomic_end();
    return 0;
}

int setuid(unsigned to)
{
    return change();
}

int seteuid(unsigned to)
{
    return change();
}

int setgid(unsigned to)
{
    return change();
}

int setegid(unsigned to)
{
    return change();
}

int setreuid(unsigned real, unsigned effective)
{
    return change();
}

int setregid(unsigned real, unsigned effective)
{
    return change();
}

int getpagesize(void)
{
    return 4096;
}

/* Without an error, -1 says that there is no limit. The size of a page does not change. */
long sysconf(int name)
{
    if (name == 30)
        return 4096;
    long limit = __VERIFIER_nondet_long();
    if (limit >= 0)
        return limit;
    if (__VERIFIER_nondet_bool())
        __fathom_fail();
    return -1;
}

static char *some_name(void)
{
    static char name[33];
    if (zero_or_error() < 0)
        return 0;
    return some_text(name, sizeof name);
}

char *getlogin(void)
{
    return some_name();
}

char *ttyname(int file)
{
    return some_name();
}

int getlogin_r(char *to, size_t size)
{
    if (size == 0 || __VERIFIER_nondet_bool())
        return 34;
    some_text(to, size);
    return 0;
}

int ttyname_r(int file, char *to, size_t size)
{
    return getlogin_r(to, size);
}

int getdomainname(char *to, size_t size)
{
    return gethostname(to, size);
}

long __read_chk(int file, void *to, size_t most, size_t room)
{
    return read(file, to, most);
}

/* Gives an error number and leaves errno. */
int clock_nanosleep(int clock, int flags, const long *time, long *left)
{
    if (__VERIFIER_nondet_bool())
        return 0;
    if (left != 0 && flags == 0 && __VERIFIER_nondet_bool()) {
        left[0] = __VERIFIER_nondet_long();
        left[1] = __VERIFIER_nondet_long();
        __VERIFIER_assume(left[0] >= 0 && left[0] <= time[0] && left[1] >= 0 && left[1] < 1000000000);
        __VERIFIER_assume(left[0] < time[0] || left[1] <= time[1]);
    }
    return __VERIFIER_nondet_bool() ? 4 : 22;
}

int thrd_sleep(const long *time, long *left)
{
    int error = clock_nanosleep(0, 0, time, left);
    return error == 0 ? 0 : error == 4 ? -1 : -2;
}
