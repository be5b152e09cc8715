//! verdict: false(unreach-call)
// The object of each round has an address of its own, and there is a second round.
extern void reach_error(void);

int main(void) {
    for (int i = 0; i < 3; i++) {
        int v = i, *p = &v;
        unsigned long l = (unsigned long)p;
        if (l % 2 == 0 && *(int *)l == 2)
            reach_error();
    }
    return 0;
}
