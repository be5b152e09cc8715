//! run: 012345
// Threads are created and joined again and again.
#include <stdio.h>
#include <pthread.h>

static int log_[6], used;

static void *note(void *p) {
    log_[used++] = *(int *)p;
    return 0;
}

int main(void) {
    for (int i = 0; i < 6; i++) {
        pthread_t t;
        pthread_create(&t, 0, note, &i);
        pthread_join(t, 0);
    }
    for (int i = 0; i < 6; i++)
        printf("%d", log_[i]);
    printf("\n");
    return 0;
}
