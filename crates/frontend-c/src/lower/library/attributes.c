/* Attributes of threads and of what they share: arguments out of their ranges are errors, and what may run out may. */

typedef unsigned long size_t;
_Bool __VERIFIER_nondet_bool(void);

enum { EAGAIN = 11, EINVAL = 22, ERANGE = 34, ENOTSUP = 95, LEAST_STACK = 16384, LONGEST_NAME = 15 };

static int choice(int value)
{
    return value == 0 || value == 1 ? 0 : EINVAL;
}

int pthread_attr_setstacksize(void *attributes, size_t size)
{
    return size < LEAST_STACK || __VERIFIER_nondet_bool() ? EINVAL : 0;
}

int pthread_attr_setstack(void *attributes, void *start, size_t size)
{
    return size < LEAST_STACK || __VERIFIER_nondet_bool() ? EINVAL : 0;
}

int pthread_attr_setguardsize(void *attributes, size_t size)
{
    return __VERIFIER_nondet_bool() ? EINVAL : 0;
}

/* Scopes are that of the system, 0, and that of the process, which Linux does not have. */
int pthread_attr_setscope(void *attributes, int scope)
{
    return scope == 1 ? ENOTSUP : choice(scope);
}

int pthread_attr_setschedpolicy(void *attributes, int policy)
{
    return policy < 0 || policy > 2 ? EINVAL : __VERIFIER_nondet_bool() ? ENOTSUP : 0;
}

int pthread_attr_setinheritsched(void *attributes, int inherits)
{
    return choice(inherits);
}

int pthread_setconcurrency(int level)
{
    return level < 0 ? EINVAL : __VERIFIER_nondet_bool() ? EAGAIN : 0;
}

/* Clocks of processor time cannot be waited for. */
int pthread_condattr_setclock(void *attributes, int clock)
{
    return choice(clock);
}

int pthread_condattr_setpshared(void *attributes, int shared)
{
    return choice(shared);
}

int pthread_rwlockattr_setpshared(void *attributes, int shared)
{
    return choice(shared);
}

int pthread_barrierattr_setpshared(void *attributes, int shared)
{
    return choice(shared);
}

int pthread_mutexattr_setpshared(void *attributes, int shared)
{
    return choice(shared);
}

int pthread_setname_np(unsigned long thread, const char *name)
{
    size_t length = 0;
    while (name[length] != 0)
        length++;
    if (length > LONGEST_NAME)
        return ERANGE;
    return __VERIFIER_nondet_bool() ? 1 : 0;
}
