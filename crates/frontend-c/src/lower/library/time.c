/* Time: what clocks show is arbitrary, but for that those that measure intervals never go back. */

_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __fathom_set_errno(int);

struct timespec {
    long seconds, nanoseconds;
};

long time(long *to)
{
    long now = __VERIFIER_nondet_long();
    if (to != 0)
        *to = now;
    return now;
}

int gettimeofday(long *to, void *zone)
{
    if (to != 0) {
        to[0] = __VERIFIER_nondet_long();
        to[1] = __VERIFIER_nondet_long();
        __VERIFIER_assume(to[1] >= 0 && to[1] < 1000000);
    }
    return 0;
}

static struct timespec shown[12];
static _Thread_local struct timespec used;

/* A time that is not before the last one. */
static struct timespec later(struct timespec *last)
{
    struct timespec now = {__VERIFIER_nondet_long(), __VERIFIER_nondet_long()};
    __VERIFIER_assume(now.nanoseconds >= 0 && now.nanoseconds < 1000000000);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(now.seconds > last->seconds || (now.seconds == last->seconds && now.nanoseconds >= last->nanoseconds));
    *last = now;
    __VERIFIER_atomic_end();
    return now;
}

int clock_gettime(int clock, struct timespec *to)
{
    if (clock < 0 || clock >= 12 || __VERIFIER_nondet_bool()) {
        __fathom_set_errno(22);
        return -1;
    }
    /* The clocks of the calendar may be set. */
    if (clock == 0 || clock == 5 || clock == 8 || clock == 11) {
        struct timespec now = {__VERIFIER_nondet_long(), __VERIFIER_nondet_long()};
        __VERIFIER_assume(now.nanoseconds >= 0 && now.nanoseconds < 1000000000);
        *to = now;
    } else {
        *to = later(clock == 3 ? &used : &shown[clock]);
    }
    return 0;
}

int clock_getres(int clock, struct timespec *to)
{
    if (clock < 0 || clock >= 12 || __VERIFIER_nondet_bool()) {
        __fathom_set_errno(22);
        return -1;
    }
    if (to != 0) {
        to->seconds = 0;
        to->nanoseconds = __VERIFIER_nondet_int();
        __VERIFIER_assume(to->nanoseconds > 0 && to->nanoseconds < 1000000000);
    }
    return 0;
}

int timespec_get(struct timespec *to, int base)
{
    if (base != 1 || __VERIFIER_nondet_bool())
        return 0;
    struct timespec now = {__VERIFIER_nondet_long(), __VERIFIER_nondet_long()};
    __VERIFIER_assume(now.nanoseconds >= 0 && now.nanoseconds < 1000000000);
    *to = now;
    return base;
}

static long ticks;

long clock(void)
{
    long now = __VERIFIER_nondet_long();
    if (now == -1)
        return now;
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(now >= ticks);
    ticks = now;
    __VERIFIER_atomic_end();
    return now;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}
