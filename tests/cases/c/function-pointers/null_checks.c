//! run: 102 1
// A function pointer may be null.
#include <stdio.h>

static int calls;
static void hook(void) { calls++; }

static void fire(void (*f)(void)) {
    if (f)
        f();
    else
        calls += 100;
}

int main(void) {
    void (*table[3])(void) = {hook, 0, hook};
    for (int i = 0; i < 3; i++)
        fire(table[i]);
    printf("%d %d\n", calls, table[0] == table[2]);
    return 0;
}
