//! verdict: true
// A field of an object that a pointer points to, or else of one from outside.
extern void reach_error(void);
extern void *malloc(unsigned long);

struct inner {
    int a, b;
};

struct outer {
    struct inner *inner;
};

int main(void) {
    struct outer *o = malloc(sizeof *o);
    o->inner = malloc(sizeof *o->inner);
    o->inner->a = 1;
    o->inner->b = 2;
    if (o->inner->a != 1)
        reach_error();
    return 0;
}
