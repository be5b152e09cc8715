// One thread puts numbers into a bounded queue, another takes them out; a mutex and two conditions.
// BUG 1: array-bounds: a full queue is asked only once whether it is full
// BUG 2: no-data-race: the count is read without the lock
// BUG 3: no-deadlock: a lock is kept when the queue was closed
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#ifndef BUG
#define BUG 0
#endif

#define ROOM 2
#define ITEMS 3

static int items[ROOM];
static int count;
static bool closed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void put(int item) {
    pthread_mutex_lock(&lock);
#if BUG == 1
    if (count == ROOM)
        pthread_cond_wait(&changed, &lock);
    items[count++] = item;
#else
    while (count == ROOM)
        pthread_cond_wait(&changed, &lock);
    items[count++] = item;
#endif
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static bool take(int *item) {
#if BUG == 2
    if (count > ROOM)
        return false;
#endif
    pthread_mutex_lock(&lock);
    while (count == 0 && !closed)
        pthread_cond_wait(&changed, &lock);
    if (count == 0) {
#if BUG != 3
        pthread_mutex_unlock(&lock);
#endif
        return false;
    }
    *item = items[--count];
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return true;
}

static void *produce(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t producer;
    int item, sum = 0;
    if (pthread_create(&producer, NULL, produce, NULL) != 0)
        return 1;
    while (take(&item))
        sum += item;
    pthread_mutex_lock(&lock);
    assert(count == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(producer, NULL);
    assert(sum == ITEMS * (ITEMS + 1) / 2);
    return 0;
}
