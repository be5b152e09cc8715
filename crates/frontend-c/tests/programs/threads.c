/* Threads that count under a mutex, with variables of their own. */
typedef unsigned long pthread_t;
typedef union { int words[12]; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *), pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
typedef union { int words[8]; } sem_t;
int sem_init(sem_t *, int, unsigned), sem_wait(sem_t *), sem_post(sem_t *);

static pthread_mutex_t mutex;
static sem_t ready;
static int counter;
static __thread int own = 5;

static void *work(void *argument)
{
    int n = (int)(long)argument;
    for (int i = 0; i < n; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        own++;
        pthread_mutex_unlock(&mutex);
    }
    sem_post(&ready);
    return (void *)(long)(own + n);
}

int main(void)
{
    pthread_t threads[3];
    long sum = 0;
    sem_init(&ready, 0, 0);
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, (void *)(i + 1));
    sem_wait(&ready);
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum = 100 * sum + (long)result;
    }
    return !(counter == 6 && sum == 70911 && own == 5);
}
