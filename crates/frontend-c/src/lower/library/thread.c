/* Threads: locks, semaphores, barriers and the like, each in the first ints of its object. */

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
void __fathom_unsupported_destructors_of_thread_keys(void);
void __fathom_unlocks_nothing(void);
int pthread_mutex_lock(int *);
int pthread_mutex_unlock(int *);

enum { EAGAIN = 11, EBUSY = 16, ETIMEDOUT = 110 };

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int thrd_equal(unsigned long a, unsigned long b)
{
    return pthread_equal(a, b);
}

int pthread_mutex_timedlock(int *mutex, const void *until)
{
    if (__VERIFIER_nondet_bool())
        return ETIMEDOUT;
    return pthread_mutex_lock(mutex);
}

int pthread_cond_timedwait(void *condition, int *mutex, const void *until)
{
    pthread_mutex_unlock(mutex);
    pthread_mutex_lock(mutex);
    return __VERIFIER_nondet_bool() ? ETIMEDOUT : 0;
}

/* A lock for readers and writers: the number of readers, or -1 for a writer. */

int pthread_rwlock_init(int *lock, const void *attributes)
{
    *lock = 0;
    return 0;
}

int pthread_rwlock_destroy(int *lock)
{
    return 0;
}

int pthread_rwlock_rdlock(int *lock)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*lock >= 0);
    *lock = *lock + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*lock == 0);
    *lock = -1;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_tryrdlock(int *lock)
{
    int result = EBUSY;
    __VERIFIER_atomic_begin();
    if (*lock >= 0) {
        *lock = *lock + 1;
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_trywrlock(int *lock)
{
    int result = EBUSY;
    __VERIFIER_atomic_begin();
    if (*lock == 0) {
        *lock = -1;
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_unlock(int *lock)
{
    __VERIFIER_atomic_begin();
    if (*lock == 0)
        __fathom_unlocks_nothing();
    *lock = *lock < 0 ? 0 : *lock - 1;
    __VERIFIER_atomic_end();
    return 0;
}

/* A barrier: how many it waits for, how many wait, and how often it has opened. */

int pthread_barrier_init(unsigned *barrier, const void *attributes, unsigned count)
{
    barrier[0] = count;
    barrier[1] = 0;
    barrier[2] = 0;
    return 0;
}

int pthread_barrier_destroy(unsigned *barrier)
{
    return 0;
}

int pthread_barrier_wait(unsigned *barrier)
{
    __VERIFIER_atomic_begin();
    unsigned opened = barrier[2];
    int last = barrier[1] + 1 == barrier[0];
    barrier[1] = last ? 0 : barrier[1] + 1;
    barrier[2] = last ? opened + 1 : opened;
    __VERIFIER_atomic_end();
    if (!last)
        __VERIFIER_assume(barrier[2] != opened);
    return last ? -1 : 0;
}

int pthread_once(int *once, void (*function)(void))
{
    int first = 0;
    __VERIFIER_atomic_begin();
    if (*once == 0) {
        *once = 1;
        first = 1;
    }
    __VERIFIER_atomic_end();
    if (first) {
        function();
        *once = 2;
    } else {
        __VERIFIER_assume(*once == 2);
    }
    return 0;
}

void call_once(int *once, void (*function)(void))
{
    pthread_once(once, function);
}

/* Semaphores: a number. */

int sem_init(int *semaphore, int shared, unsigned value)
{
    *semaphore = value;
    return 0;
}

int sem_destroy(int *semaphore)
{
    return 0;
}

int sem_wait(int *semaphore)
{
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*semaphore > 0);
    *semaphore = *semaphore - 1;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_trywait(int *semaphore)
{
    int result = -1;
    __VERIFIER_atomic_begin();
    if (*semaphore > 0) {
        *semaphore = *semaphore - 1;
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

int sem_post(int *semaphore)
{
    __VERIFIER_atomic_begin();
    *semaphore = *semaphore + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int sem_getvalue(int *semaphore, int *to)
{
    *to = *semaphore;
    return 0;
}

/* Values of threads. */

enum { KEYS = 64 };
static unsigned keys;
static _Thread_local void *values[KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    if (destructor != 0)
        __fathom_unsupported_destructors_of_thread_keys();
    __VERIFIER_atomic_begin();
    unsigned own = keys;
    if (own < KEYS)
        keys = own + 1;
    __VERIFIER_atomic_end();
    if (own == KEYS)
        return EAGAIN;
    *key = own;
    return 0;
}

int pthread_key_delete(unsigned key)
{
    return 0;
}

int pthread_setspecific(unsigned key, const void *value)
{
    values[key] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned key)
{
    return values[key];
}

int tss_create(unsigned *key, void (*destructor)(void *))
{
    return pthread_key_create(key, destructor) != 0 ? 2 : 0;
}

void tss_delete(unsigned key)
{
}

int tss_set(unsigned key, void *value)
{
    return pthread_setspecific(key, value);
}

void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}
