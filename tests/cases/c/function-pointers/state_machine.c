//! run: 3 1
// States are functions; each names the next one.
#include <stdio.h>

struct machine;
typedef void (*state)(struct machine *, char);
struct machine { state now; int words; };

static void inside(struct machine *m, char c);
static void outside(struct machine *m, char c) {
    if (c != ' ') {
        m->words++;
        m->now = inside;
    }
}
static void inside(struct machine *m, char c) {
    if (c == ' ')
        m->now = outside;
}

int main(void) {
    struct machine m = {outside, 0};
    for (const char *p = "  one two   three "; *p; p++)
        m.now(&m, *p);
    printf("%d %d\n", m.words, m.now == outside);
    return 0;
}
