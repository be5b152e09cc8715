//! verdict: false(no-data-race)
//! decided-by: auto
//! property: no-data-race
#include <pthread.h>
volatile int v;
void *writer(void *argument)
{
    v = 1;
    return 0;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    v;
    pthread_join(thread, 0);
}
