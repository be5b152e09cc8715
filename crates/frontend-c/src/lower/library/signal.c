/* Signals: those that the program raises do what they do by default, are ignored, or call their handlers at once. It is assumed, and
   said, that none is blocked at the start and that none arrives from outside, but where the program waits for one. */

typedef unsigned long word;
typedef unsigned long long signals;
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int getpid(void);
void __fathom_die(void);
void __fathom_fail(void);
void __fathom_set_errno(int);
void __fathom_havoc(void *, unsigned long);
int __fathom_has_threads(void);
void __fathom_assume_no_signals(void);
void __fathom_unsupported_a_signal_for_a_thread_that_may_block_it(void);
void __fathom_unsupported_a_handler_with_three_parameters(void);

enum { RESETS = (int)0x80000000, DEFERS_NOT = 0x40000000, WITH_INFO = 4 };

struct action {
    void *handler;
    word mask[128 / sizeof(word)];
    int flags;
    void (*restorer)(void);
};

/* For each signal what it does: null for what it does by default, 1 if it is ignored, or a handler. Which of the first two is
   left open at the start. */
static void *handlers[65];
static _Bool known[65];
/* What else was said of a handler: what is blocked while it runs, and flags. */
static signals masks[65];
static int flags[65];
/* What is blocked, and what was raised meanwhile. */
static signals blocked, pending;
static _Bool changes_mask;

static signals bit(int number)
{
    return (signals)1 << (number - 1);
}

/* In an atomic section. */
static void *handler_of(int number)
{
    if (!known[number]) {
        known[number] = 1;
        if (number != 9 && number != 19 && __VERIFIER_nondet_bool())
            handlers[number] = (void *)1;
    }
    return handlers[number];
}

static void *look(int number)
{
    __VERIFIER_atomic_begin();
    void *handler = handler_of(number);
    __VERIFIER_atomic_end();
    return handler;
}

static int is_function(void *handler)
{
    return handler != (void *)0 && handler != (void *)1;
}

static int is_changeable(int number)
{
    if (number >= 1 && number <= 64 && number != 9 && number != 19 && number != 32 && number != 33)
        return 1;
    __fathom_set_errno(22);
    return 0;
}

static void *install(int number, void *handler, signals mask, int how)
{
    __fathom_assume_no_signals();
    __VERIFIER_atomic_begin();
    void *before = handler_of(number);
    handlers[number] = handler;
    masks[number] = mask;
    flags[number] = how;
    /* What is ignored is not pending. */
    if (handler == (void *)1)
        pending &= ~bit(number);
    __VERIFIER_atomic_end();
    return before;
}

void *signal(int number, void *handler)
{
    if (!is_changeable(number))
        return (void *)-1;
    return install(number, handler, 0, 0);
}

void *bsd_signal(int number, void *handler)
{
    return signal(number, handler);
}

void *__sysv_signal(int number, void *handler)
{
    if (!is_changeable(number))
        return (void *)-1;
    return install(number, handler, 0, RESETS | DEFERS_NOT);
}

/* The first 64 of a set. */
static signals read_set(const word *set)
{
    return sizeof(word) == 8 ? set[0] : set[0] | (signals)set[1] << 32;
}

static void write_set(word *set, signals value)
{
    __fathom_havoc(set, 128);
    set[0] = (word)value;
    if (sizeof(word) == 4)
        set[1] = (word)(value >> 32);
}

int sigaction(int number, const struct action *action, struct action *old)
{
    if (!is_changeable(number))
        return -1;
    void *before;
    if (action == 0) {
        before = look(number);
    } else {
        if ((action->flags & WITH_INFO) != 0 && is_function(action->handler))
            __fathom_unsupported_a_handler_with_three_parameters();
        before = install(number, action->handler, read_set(action->mask), action->flags);
    }
    if (old != 0) {
        __fathom_havoc(old, sizeof *old);
        old->handler = before;
    }
    return 0;
}

/* Whether a signal does nothing by default, or stops the program for a while. */
static int goes_on(int number)
{
    return number == 17 || number == 18 || (number >= 19 && number <= 23) || number == 28;
}

static void call_handler(int number, void *handler)
{
    signals before = blocked;
    if (flags[number] & RESETS)
        handlers[number] = 0;
    blocked |= masks[number] | (flags[number] & DEFERS_NOT ? 0 : bit(number));
    ((void (*)(int))handler)(number);
    blocked = before;
}

static void deliver(int number)
{
    void *handler = look(number);
    if (is_function(handler))
        call_handler(number, handler);
    else if (handler == 0 && !goes_on(number))
        __fathom_die();
}

/* What was pending and is no longer blocked. */
static void deliver_pending(void)
{
    while ((pending & ~blocked) != 0) {
        int number = __VERIFIER_nondet_int();
        __VERIFIER_assume(number >= 1 && number <= 64);
        __VERIFIER_assume((pending & ~blocked & bit(number)) != 0);
        pending &= ~bit(number);
        deliver(number);
    }
}

int raise(int number)
{
    if (number < 0 || number > 64) {
        __fathom_set_errno(22);
        return -1;
    }
    if (number == 0)
        return 0;
    __fathom_assume_no_signals();
    if (__fathom_has_threads() && changes_mask)
        __fathom_unsupported_a_signal_for_a_thread_that_may_block_it();
    if ((blocked & bit(number)) != 0) {
        if (look(number) != (void *)1)
            pending |= bit(number);
        return 0;
    }
    deliver(number);
    deliver_pending();
    return 0;
}

/* The signal goes to the program itself, or to others and perhaps to itself. */
int kill(int process, int number)
{
    if (process == 0 || process == getpid())
        return raise(number);
    if (__VERIFIER_nondet_bool()) {
        __fathom_fail();
        return -1;
    }
    return process < 0 && __VERIFIER_nondet_bool() ? raise(number) : 0;
}

int killpg(int group, int number)
{
    return kill(-group, number);
}

static int change_mask(int how, const word *set, word *old)
{
    signals before = blocked;
    __fathom_assume_no_signals();
    if (set != 0) {
        signals given = read_set(set);
        if (how < 0 || how > 2)
            return 22;
        changes_mask = 1;
        blocked = how == 0 ? before | given : how == 1 ? before & ~given : given;
        blocked &= ~(bit(9) | bit(19));
    }
    if (old != 0) {
        if (__fathom_has_threads() && changes_mask)
            __fathom_unsupported_a_signal_for_a_thread_that_may_block_it();
        write_set(old, before);
    }
    deliver_pending();
    return 0;
}

int sigprocmask(int how, const word *set, word *old)
{
    int error = change_mask(how, set, old);
    if (error == 0)
        return 0;
    __fathom_set_errno(error);
    return -1;
}

/* Gives an error number and leaves errno. */
int pthread_sigmask(int how, const word *set, word *old)
{
    return change_mask(how, set, old);
}

int sigpending(word *set)
{
    write_set(set, pending);
    return 0;
}

/* One of the set that is pending, or else any of it arrives. */
int sigwait(const word *set, int *to)
{
    signals wanted = read_set(set);
    int number = __VERIFIER_nondet_int();
    if (wanted == 0)
        return 22;
    __VERIFIER_assume(number >= 1 && number <= 64);
    __VERIFIER_assume((wanted & bit(number)) != 0);
    __VERIFIER_assume((wanted & pending) == 0 || (pending & bit(number)) != 0);
    pending &= ~bit(number);
    *to = number;
    return 0;
}

/* A signal arrives that has a handler. */
static void wait_for_one(void)
{
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 1 && number <= 64);
    void *handler = look(number);
    __VERIFIER_assume(is_function(handler) && (blocked & bit(number)) == 0);
    pending &= ~bit(number);
    call_handler(number, handler);
}

/* It comes back when a handler returns. */
int pause(void)
{
    wait_for_one();
    __fathom_set_errno(4);
    return -1;
}

int sigsuspend(const word *set)
{
    signals before = blocked;
    blocked = read_set(set) & ~(bit(9) | bit(19));
    wait_for_one();
    blocked = before;
    deliver_pending();
    __fathom_set_errno(4);
    return -1;
}

/* abort() calls a handler, and ends the program when that returns. */
void __fathom_at_abort(void)
{
    void *handler = look(6);
    if (is_function(handler))
        call_handler(6, handler);
}

/* What sigsetjmp saves, and siglongjmp puts back. */
signals __fathom_blocked_signals(void)
{
    return blocked;
}

void __fathom_block_signals(signals set)
{
    blocked = set;
    deliver_pending();
}
