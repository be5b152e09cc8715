//! verdict: true
// There is nothing to violate, but a call through a pointer that must be shown to have a meaning.
int state;

static void set(void) { state = 1; }

static void add(int amount) { state += amount; }

static void call(void (*function)()) { function(); }

int main(void)
{
    char small = 3;
    void (*other)() = add;
    call(set);
    other(small);
    return state;
}
