/* Sockets, and waiting for files: results are in their ranges, and everything may fail. __fathom_fail sets errno. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
short __VERIFIER_nondet_short(void);
unsigned __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);
void __fathom_fail(void);
int __fathom_descriptor(void);
void __fathom_havoc(void *, size_t);
void __fathom_output(const void *, size_t);

static int zero_or_error(void)
{
    if (!__VERIFIER_nondet_bool())
        return 0;
    __fathom_fail();
    return -1;
}

/* An address or a value, of which no more is written than there is room for; the length says how long it is. */
static void answer(void *to, unsigned *length)
{
    unsigned room = *length, size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size <= 128);
    __fathom_havoc(to, size < room ? size : room);
    *length = size;
}

int accept(int file, void *address, unsigned *length)
{
    if (zero_or_error() < 0)
        return -1;
    if (address != 0)
        answer(address, length);
    return __fathom_descriptor();
}

int accept4(int file, void *address, unsigned *length, int flags)
{
    return accept(file, address, length);
}

int getsockname(int file, void *address, unsigned *length)
{
    if (zero_or_error() < 0)
        return -1;
    answer(address, length);
    return 0;
}

int getpeername(int file, void *address, unsigned *length)
{
    return getsockname(file, address, length);
}

/* The length that it says is never more than there was room for. */
int getsockopt(int file, int level, int option, void *to, unsigned *length)
{
    if (zero_or_error() < 0)
        return -1;
    unsigned size = __VERIFIER_nondet_uint();
    __VERIFIER_assume(size <= *length);
    __fathom_havoc(to, size);
    *length = size;
    return 0;
}

long recvfrom(int file, void *to, size_t most, int flags, void *address, unsigned *length)
{
    long bytes = __VERIFIER_nondet_long();
    if (bytes < 0) {
        __fathom_fail();
        return -1;
    }
    __VERIFIER_assume((size_t)bytes <= most);
    if (bytes > 0)
        __fathom_havoc(to, bytes);
    if (address != 0)
        answer(address, length);
    return bytes;
}

int socketpair(int domain, int type, int protocol, int *files)
{
    if (zero_or_error() < 0)
        return -1;
    files[0] = __fathom_descriptor();
    files[1] = __fathom_descriptor();
    return 0;
}

struct pollfd {
    int file;
    short events, found;
};

/* As many as are said to be ready have events. */
int poll(struct pollfd *files, unsigned long count, int time)
{
    if (__VERIFIER_nondet_bool()) {
        __fathom_fail();
        return -1;
    }
    int ready = 0;
    for (unsigned long i = 0; i < count; i++) {
        files[i].found = files[i].file < 0 ? 0 : __VERIFIER_nondet_short() & (files[i].events | 0x38);
        ready += files[i].found != 0;
    }
    return ready;
}

int ppoll(struct pollfd *files, unsigned long count, const void *time, const void *signals)
{
    return poll(files, count, 0);
}

/* A subset; how many are in it. */
static int subset(unsigned long *set)
{
    int count = 0;
    for (int i = 0; set != 0 && i < 1024 / 8 / (int)sizeof *set; i++) {
        set[i] &= __VERIFIER_nondet_ulong();
        count += __builtin_popcountl(set[i]);
    }
    return count;
}

/* The time that is left may be written. */
int select(int count, unsigned long *reads, unsigned long *writes, unsigned long *errors, long *time)
{
    if (__VERIFIER_nondet_bool()) {
        __fathom_fail();
        return -1;
    }
    int ready = subset(reads) + subset(writes) + subset(errors);
    if (time != 0 && __VERIFIER_nondet_bool()) {
        long seconds = __VERIFIER_nondet_long(), rest = __VERIFIER_nondet_long();
        __VERIFIER_assume(seconds >= 0 && seconds <= time[0] && rest >= 0 && rest < 1000000);
        __VERIFIER_assume(seconds < time[0] || rest <= time[1]);
        time[0] = seconds;
        time[1] = rest;
    }
    return ready;
}

int pselect(int count, unsigned long *reads, unsigned long *writes, unsigned long *errors, const void *time,
            const void *signals)
{
    return select(count, reads, writes, errors, 0);
}

struct piece {
    void *start;
    size_t length;
};

/* Fills the pieces one after the other. */
long readv(int file, const struct piece *pieces, int count)
{
    if (count < 0 || __VERIFIER_nondet_bool()) {
        __fathom_fail();
        return -1;
    }
    long total = 0;
    for (int i = 0; i < count; i++) {
        size_t bytes = __VERIFIER_nondet_ulong();
        __VERIFIER_assume(bytes <= pieces[i].length);
        __fathom_havoc(pieces[i].start, bytes);
        total += bytes;
        if (bytes < pieces[i].length)
            break;
    }
    return total;
}

long writev(int file, const struct piece *pieces, int count)
{
    size_t total = 0;
    for (int i = 0; i < count; i++) {
        __fathom_output(pieces[i].start, pieces[i].length);
        total += pieces[i].length;
    }
    long bytes = __VERIFIER_nondet_long();
    if (count < 0 || bytes < 0) {
        __fathom_fail();
        return -1;
    }
    __VERIFIER_assume((size_t)bytes <= total);
    return bytes;
}

/* An event is a set of 32 flags and 8 bytes of the user's, without a gap. */
int epoll_wait(int file, void *events, int most, int timeout)
{
    int found = __VERIFIER_nondet_int();
    if (most <= 0 || found < 0) {
        __fathom_fail();
        return -1;
    }
    __VERIFIER_assume(found <= most);
    if (found > 0)
        __fathom_havoc(events, (size_t)found * 12);
    return found;
}
