/* Signals are ignored or do what they do by default. A handler is refused. */

_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void abort(void);
int getpid(void);
void __fathom_unsupported_a_signal_that_may_be_blocked(void);
void __fathom_fail(void);
void __fathom_set_errno(int);
void __fathom_havoc(void *, unsigned long);
void __fathom_unsupported_a_handler_of_signals(void);

/* For each signal what it does: null for what it does by default, or 1 if it is ignored. Which of the two is left open at the start. */
static void *handlers[65];
static _Bool known[65];

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

static int is_changeable(int number)
{
    if (number >= 1 && number <= 64 && number != 9 && number != 19 && number != 32 && number != 33)
        return 1;
    __fathom_set_errno(22);
    return 0;
}

static void *install(int number, void *handler)
{
    if (handler != (void *)0 && handler != (void *)1)
        __fathom_unsupported_a_handler_of_signals();
    __VERIFIER_atomic_begin();
    void *before = handler_of(number);
    handlers[number] = handler;
    __VERIFIER_atomic_end();
    return before;
}

void *signal(int number, void *handler)
{
    if (!is_changeable(number))
        return (void *)-1;
    return install(number, handler);
}

void *bsd_signal(int number, void *handler)
{
    return signal(number, handler);
}

void *__sysv_signal(int number, void *handler)
{
    return signal(number, handler);
}

/* The handler comes first. */
int sigaction(int number, void *const *action, void **old)
{
    if (!is_changeable(number))
        return -1;
    void *before = action == 0 ? look(number) : install(number, *action);
    if (old != 0) {
        __fathom_havoc(old, sizeof(long) == 8 ? 152 : 140);
        *old = before;
    }
    return 0;
}

/* Whether a signal does nothing by default, or stops the program for a while. */
static int goes_on(int number)
{
    return number == 17 || number == 18 || (number >= 19 && number <= 23) || number == 28;
}

/* The signal ends the program, unless it is ignored or blocked. */
int raise(int number)
{
    if (number < 0 || number > 64) {
        __fathom_set_errno(22);
        return -1;
    }
    if (number == 0 || look(number) != 0 || goes_on(number))
        return 0;
    if (number != 9 && __VERIFIER_nondet_bool())
        __fathom_unsupported_a_signal_that_may_be_blocked();
    abort();
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

/* Without handlers, no signal comes back from these. */
int pause(void)
{
    __fathom_set_errno(4);
    return -1;
}

int sigsuspend(const void *set)
{
    __fathom_set_errno(4);
    return -1;
}
