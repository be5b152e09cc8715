// Property: unreach-call
// A door controller: the motor must not run while the door is locked.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum state { CLOSED, OPENING, OPEN, CLOSING, LOCKED };
enum event { BUTTON, END_STOP, TIMEOUT, KEY, NONE };

static enum state state = CLOSED;
static int motor = 0;
static int elapsed = 0;

static enum event next_event(void)
{
    int e = __VERIFIER_nondet_int();
    if (e < 0 || e > 4)
        return NONE;
    return (enum event)e;
}

static void step(enum event event)
{
    elapsed++;
    switch (state) {
    case CLOSED:
        if (event == BUTTON) {
            state = OPENING;
            motor = 1;
        } else if (event == KEY) {
            state = LOCKED;
        }
        break;
    case OPENING:
        if (event == END_STOP) {
            state = OPEN;
            motor = 0;
            elapsed = 0;
        }
        break;
    case OPEN:
        if (event == TIMEOUT || elapsed > 5) {
            state = CLOSING;
            motor = -1;
        }
        break;
    case CLOSING:
        if (event == BUTTON) {
            state = OPENING;
            motor = 1;
        } else if (event == END_STOP) {
            state = CLOSED;
            motor = 1; // FAULT: motor = 0
        }
        break;
    case LOCKED:
        if (event == KEY)
            state = CLOSED;
        break;
    }
}

int main(void)
{
    for (int i = 0; i < 6; i++) {
        step(next_event());
        if (state == LOCKED)
            assert(motor == 0);
    }
    return 0;
}
