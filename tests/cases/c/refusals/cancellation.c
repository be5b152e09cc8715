//! verdict: unknown(unsupported: a call of pthread_cancel)
//! decided-by: auto
// The thread may end before it has done anything, which nothing models.
#include <pthread.h>
extern void reach_error(void);
static int done;
static void *work(void *unused) { done = 1; return unused; }
int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, work, 0))
        return 1;
    pthread_cancel(thread);
    pthread_join(thread, 0);
    if (done)
        reach_error();
    return 0;
}
