//! verdict: false(unreach-call)
//! decided-by: auto
// A mutex among a function's variables, made without attributes: what follows is reached.
#include <pthread.h>
extern void reach_error(void);
struct shared { pthread_mutex_t lock; int value; };
static void *work(void *argument)
{
    struct shared *data = argument;
    pthread_mutex_lock(&data->lock);
    data->value++;
    pthread_mutex_unlock(&data->lock);
    return 0;
}
int main(void)
{
    pthread_t thread;
    struct shared data;
    data.value = 0;
    pthread_mutex_init(&data.lock, NULL);
    pthread_create(&thread, NULL, work, &data);
    pthread_join(thread, NULL);
    if (data.value == 1)
        reach_error();
    return 0;
}
