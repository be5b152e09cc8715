//! verdict: true
//! decided-by: interleaving
// Peterson's algorithm keeps two threads apart.
#include <pthread.h>

extern void reach_error(void);

int wants[2], turn, inside;

void *worker(void *argument) {
    int me = argument != 0;
    wants[me] = 1;
    turn = !me;
    while (wants[!me] && turn == !me)
        ;
    inside++;
    if (inside != 1)
        reach_error();
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&other, 0, worker, &turn);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
