//! verdict: false(unreach-call)
//! decided-by: predicate
// A pointer in memory that nothing was written to points to something that is not known.
extern void reach_error(void);
extern void *malloc(__SIZE_TYPE__);

struct inner {
    int state, flags;
};

struct outer {
    int kind;
    struct inner *inner;
};

int main(void) {
    struct outer *o = malloc(sizeof *o);
    if (o->inner->flags == 12345) {
        o->inner->state = 1;
        if (o->inner->state == 1 && o->inner->flags == 12345)
            reach_error();
    }
    return 0;
}
