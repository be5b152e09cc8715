//! verdict: false(unreach-call)
// A pointer that was never set is null or points to memory with any contents.
extern void __VERIFIER_error(void);

struct node {
    int state;
    int other;
};

int main(void) {
    struct node *n;
    if (!n)
        return 0;
    n->state = n->state + 1;
    if (n->state == 42 && n->other == n->state)
        __VERIFIER_error();
    return 0;
}
