// Property: unreach-call
// An elevator: it stays between the floors that there are.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

#define TOP 5

static int floor_now;
static int target;
static int direction;
static int door_open;

static void request(int floor)
{
    if (floor < 0 || floor > TOP + 1) // FAULT: floor > TOP
        return;
    target = floor;
}

static void choose_direction(void)
{
    if (target > floor_now)
        direction = 1;
    else if (target < floor_now)
        direction = -1;
    else
        direction = 0;
}

static void move(void)
{
    choose_direction();
    if (direction == 0) {
        door_open = 1;
        return;
    }
    door_open = 0;
    floor_now += direction;
}

int main(void)
{
    floor_now = 3;
    target = 3;
    request(__VERIFIER_nondet_int());
    for (int i = 0; i < 4; i++) {
        move();
        assert(floor_now >= 0 && floor_now <= TOP);
        assert(!door_open || direction == 0);
    }
    return 0;
}
