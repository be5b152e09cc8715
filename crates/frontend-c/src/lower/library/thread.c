/* Threads: locks, semaphores, barriers and the like, each in the first ints of its object. */

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Bool __VERIFIER_nondet_bool(void);
void longjmp(void *, int);
void pthread_exit(void *);
void __fathom_unsupported_more_than_16_cleanup_handlers(void);
void __fathom_unlocks_nothing(void);
void __fathom_wait_until(const int *, int least, int greatest);
void __fathom_wait_for_a_time(void *condition, int *mutex);
void __fathom_writes(void *, unsigned long size);
int __fathom_thread(void);
int pthread_mutex_lock(int *);
int pthread_mutex_trylock(int *);
int *__errno_location(void);

enum { EAGAIN = 11, ENOMEM = 12, EBUSY = 16, EINVAL = 22, EDEADLK = 35, EOVERFLOW = 75, ETIMEDOUT = 110 };
enum { THRD_TIMEDOUT = 4 };
enum { INT_MAX = 2147483647 };

int pthread_equal(unsigned long a, unsigned long b)
{
    return a == b;
}

int thrd_equal(unsigned long a, unsigned long b)
{
    return pthread_equal(a, b);
}

/* A time-out comes only where the mutex is not free. */

static int lock_for_a_time(int *mutex, int busy, int timed_out)
{
    int result = pthread_mutex_trylock(mutex);
    if (result != busy)
        return result;
    if (__VERIFIER_nondet_bool())
        return timed_out;
    return pthread_mutex_lock(mutex);
}

int pthread_mutex_timedlock(int *mutex, const void *until)
{
    return lock_for_a_time(mutex, EBUSY, ETIMEDOUT);
}

int pthread_mutex_clocklock(int *mutex, int clock, const void *until)
{
    return lock_for_a_time(mutex, EBUSY, ETIMEDOUT);
}

int mtx_timedlock(int *mutex, const void *until)
{
    return lock_for_a_time(mutex, EBUSY, THRD_TIMEDOUT);
}

int pthread_cond_timedwait(void *condition, int *mutex, const void *until)
{
    __fathom_wait_for_a_time(condition, mutex);
    return __VERIFIER_nondet_bool() ? ETIMEDOUT : 0;
}

int pthread_cond_clockwait(void *condition, int *mutex, int clock, const void *until)
{
    return pthread_cond_timedwait(condition, mutex, until);
}

int cnd_timedwait(void *condition, int *mutex, const void *until)
{
    __fathom_wait_for_a_time(condition, mutex);
    return __VERIFIER_nondet_bool() ? THRD_TIMEDOUT : 0;
}

/* A lock for readers and writers: the number of readers, or -1 for a writer; and which thread writes. */

int pthread_rwlock_destroy(int *lock)
{
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
        lock[1] = __fathom_thread();
        result = 0;
    }
    __VERIFIER_atomic_end();
    return result;
}

static int is_written_here(int *lock)
{
    __VERIFIER_atomic_begin();
    int result = *lock < 0 && lock[1] == __fathom_thread();
    __VERIFIER_atomic_end();
    return result;
}

int pthread_rwlock_rdlock(int *lock)
{
    if (is_written_here(lock))
        return EDEADLK;
    __fathom_wait_until(lock, 0, INT_MAX);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*lock >= 0);
    *lock = *lock + 1;
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_wrlock(int *lock)
{
    if (is_written_here(lock))
        return EDEADLK;
    __fathom_wait_until(lock, 0, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(*lock == 0);
    *lock = -1;
    lock[1] = __fathom_thread();
    __VERIFIER_atomic_end();
    return 0;
}

int pthread_rwlock_timedrdlock(int *lock, const void *until)
{
    if (pthread_rwlock_tryrdlock(lock) == 0)
        return 0;
    return __VERIFIER_nondet_bool() ? ETIMEDOUT : pthread_rwlock_rdlock(lock);
}

int pthread_rwlock_timedwrlock(int *lock, const void *until)
{
    if (pthread_rwlock_trywrlock(lock) == 0)
        return 0;
    return __VERIFIER_nondet_bool() ? ETIMEDOUT : pthread_rwlock_wrlock(lock);
}

int pthread_rwlock_clockrdlock(int *lock, int clock, const void *until)
{
    return pthread_rwlock_timedrdlock(lock, until);
}

int pthread_rwlock_clockwrlock(int *lock, int clock, const void *until)
{
    return pthread_rwlock_timedwrlock(lock, until);
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
    if (!last) {
        __fathom_wait_until((const int *)(barrier + 2), opened + 1, INT_MAX);
        __VERIFIER_assume(barrier[2] != opened);
    }
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
        __fathom_wait_until(once, 2, 2);
        __VERIFIER_assume(*once == 2);
    }
    return 0;
}

void call_once(int *once, void (*function)(void))
{
    pthread_once(once, function);
}

/* Semaphores: a number. */

int sem_destroy(int *semaphore)
{
    return 0;
}

int sem_wait(int *semaphore)
{
    __fathom_wait_until(semaphore, 1, INT_MAX);
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
    if (result != 0)
        *__errno_location() = EAGAIN;
    return result;
}

int sem_timedwait(int *semaphore, const void *until)
{
    if (sem_trywait(semaphore) == 0)
        return 0;
    if (__VERIFIER_nondet_bool()) {
        *__errno_location() = ETIMEDOUT;
        return -1;
    }
    return sem_wait(semaphore);
}

int sem_clockwait(int *semaphore, int clock, const void *until)
{
    return sem_timedwait(semaphore, until);
}

int sem_post(int *semaphore)
{
    int result = -1;
    __VERIFIER_atomic_begin();
    if (*semaphore < INT_MAX) {
        *semaphore = *semaphore + 1;
        result = 0;
    }
    __VERIFIER_atomic_end();
    if (result != 0)
        *__errno_location() = EOVERFLOW;
    return result;
}

int sem_getvalue(int *semaphore, int *to)
{
    __fathom_writes(to, sizeof *to);
    *to = *semaphore;
    return 0;
}

/* Values of threads. What a destructor is given is no longer the thread's value. */

enum { KEYS = 64, ROUNDS = 4 };
static unsigned keys;
static void (*destructors[KEYS])(void *);
static _Thread_local void *values[KEYS];

int __fathom_key_create(unsigned *key, void (*destructor)(void *), int fails)
{
    if (fails)
        return fails > 0 ? EAGAIN : ENOMEM;
    __VERIFIER_atomic_begin();
    unsigned own = keys;
    if (own < KEYS) {
        keys = own + 1;
        destructors[own] = destructor;
    }
    __VERIFIER_atomic_end();
    if (own == KEYS)
        return EAGAIN;
    __fathom_writes(key, sizeof *key);
    *key = own;
    return 0;
}

int pthread_key_delete(unsigned key)
{
    __VERIFIER_atomic_begin();
    if (key < keys)
        destructors[key] = 0;
    __VERIFIER_atomic_end();
    return 0;
}

static int is_key(unsigned key)
{
    __VERIFIER_atomic_begin();
    int result = key < keys;
    __VERIFIER_atomic_end();
    return result;
}

int __fathom_setspecific(unsigned key, const void *value, int fails)
{
    if (!is_key(key))
        return EINVAL;
    if (fails && value != 0)
        return ENOMEM;
    values[key] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned key)
{
    return is_key(key) ? values[key] : 0;
}

int __fathom_tss_create(unsigned *key, void (*destructor)(void *), int fails)
{
    return __fathom_key_create(key, destructor, fails) != 0 ? 2 : 0;
}

void tss_delete(unsigned key)
{
    pthread_key_delete(key);
}

int __fathom_tss_set(unsigned key, void *value, int fails)
{
    return fails || __fathom_setspecific(key, value, 0) != 0 ? 2 : 0;
}

void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}

/* A thread ends: destructors are called while there are values, in an order that is left open, but for that each comes once
   in a round. */
void __fathom_destroy_values(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        int called = 0;
        __VERIFIER_atomic_begin();
        unsigned count = keys;
        __VERIFIER_atomic_end();
        for (unsigned key = 0; key < count; key++) {
            __VERIFIER_atomic_begin();
            void (*destructor)(void *) = destructors[key];
            __VERIFIER_atomic_end();
            void *value = values[key];
            if (destructor != 0 && value != 0) {
                values[key] = 0;
                called = 1;
                destructor(value);
            }
        }
        if (!called)
            break;
    }
}

/* pthread_cleanup_push is a macro that registers a buffer of sigsetjmp: what jumps there calls the handler and goes on with
   the next. */

enum { HANDLERS = 16 };
static _Thread_local void *handlers[HANDLERS];
static _Thread_local int handler_count;
static _Thread_local void *exit_value;

void __pthread_register_cancel(void *buffer)
{
    if (handler_count == HANDLERS)
        __fathom_unsupported_more_than_16_cleanup_handlers();
    handlers[handler_count] = buffer;
    handler_count++;
}

void __pthread_unregister_cancel(void *buffer)
{
    handler_count--;
}

/* pthread_exit does this first. */
void __fathom_clean_up(void *value)
{
    exit_value = value;
    if (handler_count > 0) {
        handler_count--;
        longjmp(handlers[handler_count], 1);
    }
}

void __pthread_unwind_next(void *buffer)
{
    pthread_exit(exit_value);
}

/* No thread is cancelled: these only keep what they are given. */

static _Thread_local int cancel_state, cancel_type;

static int set_cancel(int *kept, int to, int *old)
{
    if (to != 0 && to != 1)
        return EINVAL;
    if (old != 0) {
        __fathom_writes(old, sizeof *old);
        *old = *kept;
    }
    *kept = to;
    return 0;
}

int pthread_setcancelstate(int state, int *old)
{
    return set_cancel(&cancel_state, state, old);
}

int pthread_setcanceltype(int type, int *old)
{
    return set_cancel(&cancel_type, type, old);
}
