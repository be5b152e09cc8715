/* Signals are ignored or do what they do by default. A handler is refused. */

_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);
void abort(void);
void __fathom_fail(void);
void __fathom_set_errno(int);
void __fathom_havoc(void *, unsigned long);
void __fathom_unsupported_a_handler_of_signals(void);

/* For each signal what it does: null for what it does by default, or 1 if it is ignored. */
static void *handlers[65];

static int is_changeable(int number)
{
    if (number >= 1 && number <= 64 && number != 9 && number != 19 && number != 32 && number != 33)
        return 1;
    __fathom_set_errno(22);
    return 0;
}

static void *install(int number, void *handler)
{
    void *before = handlers[number];
    if (handler != (void *)0 && handler != (void *)1)
        __fathom_unsupported_a_handler_of_signals();
    handlers[number] = handler;
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
    void *before = handlers[number];
    if (action != 0)
        install(number, *action);
    if (old != 0) {
        __fathom_havoc(old, sizeof(long) == 8 ? 152 : 140);
        *old = before;
    }
    return 0;
}

/* The signal ends the program, stops it for a while, or does nothing. */
int raise(int number)
{
    if (number < 0 || number > 64) {
        __fathom_set_errno(22);
        return -1;
    }
    if (number == 0 || handlers[number] != 0)
        return 0;
    if (number == 6 || number == 9 || __VERIFIER_nondet_bool())
        abort();
    return 0;
}

/* The signal may go to the program itself. */
int kill(int process, int number)
{
    if (__VERIFIER_nondet_bool()) {
        __fathom_fail();
        return -1;
    }
    if (number >= 1 && number <= 64 && handlers[number] == 0 && __VERIFIER_nondet_bool())
        abort();
    return 0;
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
