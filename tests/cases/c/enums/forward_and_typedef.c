//! run: 0 0 2 3 3
// Enums through typedefs, in structs and as results.
#include <stdio.h>

typedef enum state { IDLE, BUSY, DONE, STATES } State;

struct machine {
    State now;
    int counts[STATES];
};

static State step(struct machine *m) {
    m->counts[m->now]++;
    return m->now = (m->now + 1) % STATES;
}

int main(void) {
    struct machine m = {BUSY, {0}};
    for (int i = 0; i < 7; i++)
        step(&m);
    enum state s = step(&m);
    printf("%d %d %d %d %d\n", s, m.now, m.counts[IDLE], m.counts[BUSY], m.counts[DONE]);
    return 0;
}
