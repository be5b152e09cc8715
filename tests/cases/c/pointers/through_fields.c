//! verdict: true
//! decided-by: predicate
// A pointer in a field of a local struct leads to the fields of another.
extern void reach_error(void);

struct innermost {
    int c;
};

struct inner {
    int b;
    struct innermost *y;
};

struct outer {
    int a;
    struct inner *x;
};

int main(void) {
    struct innermost innermost = {3};
    struct inner inner = {2, &innermost};
    struct outer outer = {1, &inner}, *p = &outer;
    p->x->y->c = 4;
    if (p->x->y->c != 4)
        reach_error();
    return 0;
}
