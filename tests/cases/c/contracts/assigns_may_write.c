//! verdict: false(unreach-call)
//! decided-by: auto
#include <assert.h>
struct clock { int hour, minute; } wall;
void tick(struct clock *c)
    __fathom_assigns(c->minute)
    __fathom_ensures(c->minute >= 0);
int main(void) {
    tick(&wall);
    assert(wall.hour == 0);
    assert(wall.minute == 0);
    return 0;
}
