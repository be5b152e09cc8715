// Two workers take jobs by their number from a shared counter and add their results under a lock.
// BUG 1: no-data-race: a worker adds its result without the lock
// BUG 2: array-bounds: the counter is compared with the number of jobs before the lock is taken
// BUG 3: unreach-call: the counter is read and raised in two critical sections
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef BUG
#define BUG 0
#endif

#define JOBS 2
#define WORKERS 2

static const int jobs[JOBS] = {3, 4};
static int next_job;
static int done;
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int take_job(void) {
    int job;
    pthread_mutex_lock(&lock);
    job = next_job;
#if BUG == 3
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    next_job = job + 1;
#elif BUG == 2
    next_job++;
#else
    if (job < JOBS)
        next_job++;
#endif
    pthread_mutex_unlock(&lock);
#if BUG == 2
    return job <= JOBS ? job : -1;
#else
    return job < JOBS ? job : -1;
#endif
}

static void *work(void *unused) {
    int job;
    (void)unused;
    while ((job = take_job()) >= 0) {
        int result = jobs[job] * jobs[job];
#if BUG == 1
        sum += result;
#endif
        pthread_mutex_lock(&lock);
#if BUG != 1
        sum += result;
#endif
        done++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t workers[WORKERS];
    int started = 0;
    for (int i = 0; i < WORKERS; i++)
        if (pthread_create(&workers[i], NULL, work, NULL) == 0)
            started++;
        else
            break;
    for (int i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    if (started > 0) {
        assert(done == JOBS);
        assert(sum == 25);
    }
    return 0;
}
