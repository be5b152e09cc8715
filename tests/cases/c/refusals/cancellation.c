//! verdict: unknown(unsupported: a call of pthread_setcancelstate)
//! decided-by: auto
// The old state is written through the pointer, which nothing models.
#include <pthread.h>
extern void reach_error(void);
int main(void)
{
    int old = 7;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    if (old != 7)
        reach_error();
    return 0;
}
