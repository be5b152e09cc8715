//! verdict: false(unreach-call)
// The entry may be called again: its variables are then there twice.
extern void reach_error(void);
static int depth;
static int *outer;

int main(void) {
    int here = depth;
    if (depth == 1) {
        here = 5;
        if (*outer == 0)
            reach_error();
        return here;
    }
    outer = &here;
    depth = 1;
    return main();
}
