//! verdict: false(unreach-call)
// A stub's object is too small for what is written to it; the error does not depend on what lies behind it.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct context {
    int state, data;
};

static char dummy;

int main(void) {
    struct context *c = (struct context *)&dummy;
    c->state = __VERIFIER_nondet_int();
    c->data = 1;
    if (__VERIFIER_nondet_int() == 12)
        reach_error();
    return 0;
}
