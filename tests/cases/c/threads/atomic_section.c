//! run: 80 20 0
// Between __VERIFIER_atomic_begin and _end no other thread runs.
#include <stdio.h>
#include <pthread.h>

static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
#ifndef __FATHOM__
void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }
#else
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#endif

static int x, y;

static void *move(void *unused) {
    for (int i = 0; i < 10; i++) {
        __VERIFIER_atomic_begin();
        x--;
        y++;
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    int broken = 0;
    x = 100;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, move, 0);
    for (int i = 0; i < 5; i++) {
        __VERIFIER_atomic_begin();
        broken += x + y != 100;
        __VERIFIER_atomic_end();
    }
    pthread_join(a, 0);
    pthread_join(b, 0);
    printf("%d %d %d\n", x, y, broken);
    return 0;
}
